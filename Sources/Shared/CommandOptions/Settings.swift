import StoreModel

/// The options of a program that a settings file sets.
struct Settings {
    private let file: SettingsFile
    private let entries: [String: SettingsFile.Entry]

    /// Only options with an environment variable are settings; the others belong to one run of a command.
    ///
    /// - Parameter known: every option of the program, so that one file serves all of its commands.
    init(_ file: SettingsFile, known: [any OptionDeclaration]) throws(SettingsProblem) {
        let names = Set(known.filter { $0.environment != nil }.map(\.name)).subtracting(file.reserved)
        var entries: [String: SettingsFile.Entry] = [:]
        for entry in file.entries {
            func problem(_ message: String, advice: String? = nil) -> SettingsProblem {
                SettingsProblem(path: file.path, line: entry.line, message: message, advice: advice)
            }
            if file.reserved.contains(entry.name) {
                throw problem("\(entry.name) says where this file is, so it cannot be set in it.")
            }
            guard names.contains(entry.name) else {
                throw problem(
                    "there is no setting \"\(PrintableText(entry.name))\".",
                    advice: NearestName.of(entry.name, among: names.sorted()).map { "Did you mean \($0)?" })
            }
            if let first = entries[entry.name] {
                throw problem("\(entry.name) is set a second time, after line \(first.line).")
            }
            entries[entry.name] = entry
        }
        self.file = file
        self.entries = entries
    }

    func text(of option: any OptionDeclaration) -> String? { entries[option.name]?.text }

    /// Where an option is set: the path of the file and the line.
    func place(of option: any OptionDeclaration) -> String {
        "\(file.path)" + (entries[option.name].map { ":\($0.line)" } ?? "")
    }

    /// Where an option is set, for messages: "till.conf, line 3 (for --listen)".
    func origin(of option: any OptionDeclaration) -> String {
        let line = entries[option.name].map { ", line \($0.line)" } ?? ""
        return "\(PrintableText(file.path))\(line) (for \(option.longForm))"
    }
}

/// Finds the settings file of a command line: it gets the values from command line, environment and defaults, and
/// returns the file for the rest, or nil if there is none.
package typealias SettingsLookup = (ParsedArguments) throws -> SettingsFile?

/// Settings read from a file: values of options that neither the command line nor the environment gives.
///
/// ```
/// # The store of example.com
/// listen = 0.0.0.0:443
/// public-url = https://store.example.com
/// ```
///
/// A line is `name = value`, a comment that begins with `#`, or empty. The name is that of an option without its dashes;
/// the value is everything after the first `=`, without the spaces around it.
package struct SettingsFile: Sendable {
    /// One line that sets something.
    struct Entry: Sendable {
        let name: String
        let text: String
        let line: Int
    }

    package let path: String
    /// Options that it cannot set, because they locate it.
    let reserved: Set<String>
    let entries: [Entry]

    /// Reads the bytes of a file.
    ///
    /// - Parameter reserved: the names of options that it cannot set, because they locate it.
    /// - Throws: ``SettingsProblem`` if a line is none of the three kinds, or the file exceeds ``SettingsLimits``.
    package init(path: String, contents: some Collection<UInt8>, reserved: Set<String> = []) throws(SettingsProblem) {
        self.path = path
        self.reserved = reserved
        func problem(_ message: String, line: Int? = nil) -> SettingsProblem {
            SettingsProblem(path: path, line: line, message: message, advice: nil)
        }
        guard contents.count <= SettingsLimits.fileBytes else {
            throw problem("the file has more than \(SettingsLimits.fileBytes) bytes.")
        }
        guard let text = String(validating: contents, as: UTF8.self) else { throw problem("the file is not UTF-8.") }
        var entries: [Entry] = []
        // Scalars, not characters: a carriage return and a line feed are one character.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, scalars) in lines.enumerated() {
            let line = Self.trimmed(scalars)
            if line.isEmpty || line.first == "#" { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw problem("expected \"name = value\" or a comment that begins with #.", line: index + 1)
            }
            let name = String(Self.trimmed(line[..<equals]))
            let value = Self.trimmed(line[line.index(after: equals)...])
            guard !value.isEmpty else { throw problem("\(PrintableText(name)) has no value.", line: index + 1) }
            guard value.first != "\"" && value.first != "'" else {
                throw problem("the value of \(PrintableText(name)) is written without quotes.", line: index + 1)
            }
            entries.append(Entry(name: name, text: String(value), line: index + 1))
        }
        self.entries = entries
    }

    private static func trimmed(_ line: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let start = line.firstIndex(where: { !isSpace($0) }), let end = line.lastIndex(where: { !isSpace($0) })
        else { return line[line.endIndex...] }
        return line[start...end]
    }
}

/// The limits of a settings file.
package enum SettingsLimits {
    package static let fileBytes = 64 * 1024
}

/// What is wrong with a settings file.
package struct SettingsProblem: Error, Hashable, Sendable {
    package let path: String
    /// The line it is about, counted from one; nil where it is the whole file.
    package let line: Int?
    package let message: String
    /// What to do about it, if known.
    package let advice: String?

    package init(path: String, line: Int? = nil, message: String, advice: String? = nil) {
        self.path = path
        self.line = line
        self.message = message
        self.advice = advice
    }
}

extension SettingsProblem: CustomStringConvertible {
    package var description: String {
        let place = line.map { "\(PrintableText(path)), line \($0)" } ?? PrintableText(path).description
        return ["\(place):", message, advice].compactMap { $0 }.joined(separator: " ")
    }
}
