import CTexts
import Synchronization

/// What the programs say to people, in one language.
///
/// The texts are the files in the folder Texts, one for each language; `en.txt` says what they look like. All of them have the
/// same names.
///
/// ```swift
/// let texts = Texts.best(for: ["de-CH"])
/// texts("sample.credits", ["count": 3])
/// ```
package struct Texts: Sendable {
    /// The language, as the name of its file: `en`, `zh-Hans`.
    package let language: String
    private let entries: [String: Entry]

    // Closed: the two forms of the files.
    fileprivate enum Entry: Hashable, Sendable {
        case text([Piece])
        case plural(argument: String, forms: [PluralCategory: [Piece]])
    }

    fileprivate enum Piece: Hashable, Sendable {
        case words(String)
        case argument(String)
    }

    /// The text of a name; the name itself where there is none, so that something is said.
    package func callAsFunction(_ name: String, _ arguments: [String: TextArgument] = [:]) -> String {
        find(name, arguments) ?? name
    }

    /// The text of a name, if there is one.
    package func find(_ name: String, _ arguments: [String: TextArgument] = [:]) -> String? {
        switch entries[name] {
        case nil: nil
        case .text(let pieces)?: Self.text(pieces, arguments)
        case .plural(let argument, let forms)?:
            Self.text(forms[category(of: arguments[argument])] ?? forms[.other] ?? [], arguments)
        }
    }

    private func category(of argument: TextArgument?) -> PluralCategory {
        if case .number(let number)? = argument { PluralCategory(of: number, in: language) } else { .other }
    }

    private static func text(_ pieces: [Piece], _ arguments: [String: TextArgument]) -> String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .argument(let name): arguments[name]?.description ?? "{\(name)}"
            }
        }.joined()
    }

    /// The names, each with its arguments; that which decides the plural form has an asterisk.
    package var signatures: [String: Set<String>] {
        entries.mapValues { entry in
            switch entry {
            case .text(let pieces): Self.names(pieces)
            case .plural(let argument, let forms):
                forms.values.reduce(into: ["\(argument)*"]) { $0.formUnion(Self.names($1)) }
            }
        }
    }

    private static func names(_ pieces: [Piece]) -> Set<String> {
        Set(pieces.compactMap { if case .argument(let name) = $0 { name } else { nil } })
    }
}

/// What takes the place of a name in braces.
// Closed: the two kinds of arguments.
package enum TextArgument: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral
{
    case text(String)
    case number(Int)

    package init(stringLiteral value: String) { self = .text(value) }

    package init(integerLiteral value: Int) { self = .number(value) }

    package var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

/// The plural categories of whole numbers in the languages of the texts, as CLDR 46 has them.
// Closed: CLDR's categories that these languages use.
package enum PluralCategory: String, CaseIterable, Sendable {
    case one, many, other

    package init(of number: Int, in language: String) {
        let size = number.magnitude
        switch language {
        case "ja", "zh-Hans": self = .other
        case "fr": self = size <= 1 ? .one : size.isMultiple(of: 1_000_000) ? .many : .other
        default: self = size == 1 ? .one : .other
        }
    }

    /// The categories for which a language has forms.
    package static func all(in language: String) -> Set<PluralCategory> {
        switch language {
        case "ja", "zh-Hans": [.other]
        case "fr": [.one, .many, .other]
        default: [.one, .other]
        }
    }
}

// MARK: Languages

extension Texts {
    /// The texts that the program carries, by their languages.
    // Safe: the bytes are constants of the program, which nothing changes.
    private nonisolated(unsafe) static let files: [String: UnsafeBufferPointer<UInt8>] = {
        var files: [String: UnsafeBufferPointer<UInt8>] = [:]
        while let file = textFile(files.count)?.pointee {
            files[String(cString: file.language)] = UnsafeBufferPointer(start: file.bytes, count: file.count)
        }
        return files
    }()

    /// The languages that there are texts in.
    package static var languages: [String] { files.keys.sorted() }

    private static let read = Mutex<[String: Texts]>([:])

    /// The texts in the first of these languages that there are texts in; in English if there are none.
    ///
    /// - Parameter languages: such as `de-CH`, `zh_CN.UTF-8` or `tr`.
    package static func best(for languages: [String]) -> Texts {
        let language = languages.lazy.compactMap(offered).first ?? "en"
        return read.withLock { read in
            if let texts = read[language] { return texts }
            // The files are part of the program, and a test reads them all.
            let texts = (try? embedded(language)) ?? Texts(language: language, entries: [:])
            read[language] = texts
            return texts
        }
    }

    /// The texts of one file of the program.
    package static func embedded(_ language: String) throws(TextsError) -> Texts {
        guard let bytes = files[language] else { throw TextsError(line: 0, "there are no texts in \(language)") }
        return try Texts(String(decoding: bytes, as: UTF8.self), in: language)
    }

    /// The languages that the variables of a process ask for, the favourite first.
    package static func languages(_ environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        if ["C", "POSIX"].contains(locale.split(separator: ".").first.map(String.init) ?? "") { return [] }
        return (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
    }

    private static func offered(_ tag: String) -> String? {
        let parts = tag.prefix { $0 != "." && $0 != "@" }.split { $0 == "-" || $0 == "_" }.map { $0.lowercased() }
        guard let first = parts.first else { return nil }
        guard first == "zh" else { return files[first] == nil ? nil : first }
        let isSimplified = parts.contains("hans") || Set(parts).isDisjoint(with: ["hant", "tw", "hk", "mo"])
        return isSimplified ? "zh-Hans" : nil
    }
}

// MARK: The files

/// Why a file of texts cannot be read.
package struct TextsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from one.
    package let line: Int
    package let problem: String

    init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    package var description: String { "line \(line): \(problem)" }
}

extension Texts {
    /// Reads a file.
    package init(_ content: String, in language: String) throws(TextsError) {
        var reader = TextsReader(language: language)
        for line in content.split(separator: "\n", omittingEmptySubsequences: false) { try reader.read(line) }
        try reader.endForms()
        self.init(language: language, entries: reader.entries)
    }
}

/// Reads a file of texts, a line after the other.
private struct TextsReader {
    let language: String
    var entries: [String: Texts.Entry] = [:]
    private var number = 0
    /// The name whose plural forms are being read.
    private var open: (name: String, argument: String, forms: [PluralCategory: [Texts.Piece]])?

    init(language: String) { self.language = language }

    mutating func read(_ line: Substring) throws(TextsError) {
        number += 1
        let text = line.trimmed
        if text.isEmpty || text.hasPrefix("#") { return }
        if line.first == " " { return try readForm(text) }
        try endForms()
        let (name, sign, rest) = try parts(text)
        guard entries[name] == nil else { throw error("there is another \(name)") }
        if sign == "=" {
            entries[name] = .text(try pieces(rest))
        } else {
            guard Self.isName(rest) else { throw error("the name of an argument follows the colon") }
            open = (name, String(rest), [:])
        }
    }

    private mutating func readForm(_ text: Substring) throws(TextsError) {
        let (word, sign, rest) = try parts(text)
        guard open != nil else { throw error("this is no form of a text") }
        guard sign == "=", let category = PluralCategory(rawValue: word),
            PluralCategory.all(in: language).contains(category)
        else { throw error("\(language) has no plural category \(word)") }
        let form = try pieces(rest)
        guard open?.forms.updateValue(form, forKey: category) == nil else { throw error("there is another \(word)") }
    }

    mutating func endForms() throws(TextsError) {
        guard let open else { return }
        guard Set(open.forms.keys) == PluralCategory.all(in: language) else {
            let all = PluralCategory.all(in: language).map(\.rawValue).sorted().joined(separator: ", ")
            throw error("\(open.name) has not the forms \(all)")
        }
        entries[open.name] = .plural(argument: open.argument, forms: open.forms)
        self.open = nil
    }

    /// A name, the sign that follows it, and the rest.
    private func parts(_ text: Substring) throws(TextsError) -> (name: String, sign: Character, rest: Substring) {
        guard let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
            throw error("there is no = and no :")
        }
        let (name, rest) = (text[..<end].trimmed, text[text.index(after: end)...].trimmed)
        guard Self.isName(name) else { throw error("a name has letters, digits, periods and underscores") }
        guard !rest.isEmpty else { throw error("there is nothing after \(name)") }
        return (String(name), text[end], rest)
    }

    private func pieces(_ text: Substring) throws(TextsError) -> [Texts.Piece] {
        var (pieces, words, rest): ([Texts.Piece], String, Substring) = ([], "", text)
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let meant = rest.popFirst().flatMap({ ["n": "\n", "\\": "\\", "{": "{", "}": "}"][$0] }) else {
                    throw error("after \\ comes n, {, } or another \\")
                }
                words += meant
            case "{":
                guard let end = rest.firstIndex(of: "}"), Self.isName(rest[..<end]) else {
                    throw error("a brace holds the name of an argument")
                }
                if !words.isEmpty { pieces.append(.words(words)) }
                pieces.append(.argument(String(rest[..<end])))
                (words, rest) = ("", rest[rest.index(after: end)...])
            case "}": throw error("there is a closing brace without an opening one")
            default: words.append(character)
            }
        }
        return words.isEmpty ? pieces : pieces + [.words(words)]
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private func error(_ problem: String) -> TextsError { TextsError(line: number, problem) }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }
}
