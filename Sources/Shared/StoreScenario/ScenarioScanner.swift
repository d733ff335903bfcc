import StoreFoundation

/// Reads one line of a scenario.
///
/// ```
/// line     = [ command | expect | let ] [ "#" comment ]
/// command  = "till" word …
/// expect   = "expect" [ "within" TIME ] ( "error" CODE | path test )
/// test     = ( "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains" ) value | "count" value | "exists" | "missing"
/// let      = "let" NAME "=" path
/// path     = "." | ( "." NAME | "[" ( NUMBER | STRING | path "==" value ) "]" ) …
/// value    = STRING | NUMBER | "true" | "false" | "null" | "$" NAME
/// ```
struct ScenarioScanner {
    struct Fault: Error {
        let column: Int
        let word: String
        let message: String
    }

    /// What has a meaning of its own in words.
    static let marks: Set<Character> = ["#", "'", "\"", "\\", "$"]

    private let line: [Character]
    private var position = 0

    init(_ line: Substring) throws(Fault) {
        self.line = Array(line)
        guard self.line.count <= ScenarioLimits.lineCharacters else {
            throw Fault(
                column: ScenarioLimits.lineCharacters + 1, word: "",
                message: "a line has at most \(ScenarioLimits.lineCharacters) characters")
        }
    }

    /// What the line does; nil if it has nothing but a comment.
    mutating func work() throws(Fault) -> ScenarioStep.Work? {
        skipSpace()
        guard let next, next != "#" else { return nil }
        let start = position
        let word = plainWord()
        switch word {
        case "till":
            position = start
            return .command(try words(), fails: false)
        case "expect": return .expectation(try expectation())
        case "let":
            let (name, column) = try name("a name, such as let bought = .transactionId")
            try require("=")
            let path = try path()
            try end()
            return .capture(name, path, column)
        default:
            throw fault(start, word, "a line is a command of till, expect or let, or a comment behind #")
        }
    }

    // MARK: Commands

    private mutating func words() throws(Fault) -> [ScenarioWord] {
        var words: [ScenarioWord] = []
        while true {
            skipSpace()
            guard let next, next != "#" else { return words }
            guard words.count < ScenarioLimits.words else {
                throw fault(position, "", "a command has at most \(ScenarioLimits.words) words")
            }
            words.append(try word())
        }
    }

    private mutating func word() throws(Fault) -> ScenarioWord {
        let start = position
        var (pieces, text): ([ScenarioWord.Piece], String) = ([], "")
        func flush() {
            if !text.isEmpty { pieces.append(.text(text)) }
            text = ""
        }
        while let character = next, !character.isWhitespace {
            switch character {
            case "'": text += try quotation()
            case "\"":
                position += 1
                while true {
                    guard let inner = next else { throw fault(start, rest(from: start), "the quotation has no end") }
                    if inner == "\"" { break }
                    if inner == "$" {
                        flush()
                        pieces.append(.name(try variable()))
                        continue
                    }
                    text.append(try escaped(start))
                }
                position += 1
            case "$":
                flush()
                pieces.append(.name(try variable()))
            default: text.append(try escaped(start))
            }
        }
        flush()
        return ScenarioWord(pieces: pieces, column: start + 1)
    }

    /// What stands between single quotation marks, as it is.
    private mutating func quotation() throws(Fault) -> String {
        let start = position
        position += 1
        var text = ""
        while let character = next, character != "'" {
            text.append(character)
            position += 1
        }
        guard next == "'" else { throw fault(start, rest(from: start), "the quotation has no end") }
        position += 1
        return text
    }

    /// The next character, or the one behind a backslash.
    private mutating func escaped(_ start: Int) throws(Fault) -> Character {
        if next == "\\" { position += 1 }
        guard let character = next else { throw fault(start, rest(from: start), "a character has to follow \\") }
        position += 1
        return character
    }

    /// A name behind `$`, perhaps in braces.
    private mutating func variable() throws(Fault) -> String {
        let start = position
        position += 1
        let isBraced = next == "{"
        if isBraced { position += 1 }
        let name = nameHere()
        guard !name.isEmpty, !isBraced || next == "}" else {
            throw fault(start, "$", "a name has to follow $, as $bought or ${bought}; the sign itself is \\$")
        }
        if isBraced { position += 1 }
        return name
    }

    // MARK: Expectations

    private mutating func expectation() throws(Fault) -> ScenarioExpectation {
        skipSpace()
        var start = position
        var within: Duration?
        var word = plainWord()
        if word == "within" {
            within = try time()
            skipSpace()
            start = position
            word = plainWord()
        }
        if word == "error" {
            skipSpace()
            let place = position
            let code = plainWord()
            guard Self.isName(code) else { throw fault(place, code, "the code of the refusal is expected") }
            try end()
            return ScenarioExpectation(
                test: .error, path: ScenarioPath(parts: [], column: start + 1), value: .value(.text(code)),
                valueColumn: place + 1, within: within)
        }
        position = start
        let path = try path()
        let (test, column) = try test()
        var value: ScenarioOperand?
        skipSpace()
        let place = position
        if test.takesValue { value = try operand() }
        if test == .count, case .value(let count) = value, !count.isCount {
            throw fault(place, "\(count.brief())", "\(test.rawValue) is followed by a whole number")
        }
        if [.less, .more, .atMost, .atLeast].contains(test), case .value(let written) = value, !written.isNumber {
            throw fault(column - 1, test.rawValue, "only numbers are compared by \(test.rawValue)")
        }
        try end()
        return ScenarioExpectation(test: test, path: path, value: value, valueColumn: place + 1, within: within)
    }

    private mutating func time() throws(Fault) -> Duration {
        skipSpace()
        let start = position
        let word = plainWord()
        let isMilliseconds = word.hasSuffix("ms")
        let digits = word.dropLast(isMilliseconds ? 2 : 1)
        guard word.hasSuffix("s"), !digits.isEmpty, digits.count <= 6, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int(digits)
        else { throw fault(start, word, "a time is expected, such as 5s or 200ms") }
        let time = isMilliseconds ? Duration.milliseconds(count) : .seconds(count)
        guard time <= ScenarioLimits.longestWait else {
            throw fault(start, word, "within waits \(ScenarioLimits.longestWait.components.seconds) s at most")
        }
        return time
    }

    private mutating func test() throws(Fault) -> (ScenarioExpectation.Test, Int) {
        skipSpace()
        let start = position
        let word = plainWord()
        let all = ScenarioExpectation.Test.allCases.filter { $0 != .error }
        guard let test = all.first(where: { $0.rawValue == word }) else {
            throw fault(start, word, "one of \(all.map(\.rawValue).joined(separator: ", ")) is expected here")
        }
        return (test, start + 1)
    }

    private mutating func operand() throws(Fault) -> ScenarioOperand {
        skipSpace()
        let start = position
        switch next {
        case "$": return .name(try variable())
        case "\"": return .value(.text(try string()))
        default:
            var word = ""
            while let character = next, !character.isWhitespace, character != "]" {
                word.append(character)
                position += 1
            }
            switch word {
            case "true": return .value(.flag(true))
            case "false": return .value(.flag(false))
            case "null": return .value(.null)
            default:
                guard let number = try? JSONNode(Array(word.utf8), depth: 1), number.isNumber else {
                    throw fault(
                        start, word, "a value is expected: \"a text\", a number, true, false, null or $name")
                }
                return .value(number)
            }
        }
    }

    /// A text of JSON.
    private mutating func string() throws(Fault) -> String {
        let start = position
        position += 1
        while let character = next, character != "\"" { position += character == "\\" ? 2 : 1 }
        guard next == "\"" else { throw fault(start, rest(from: start), "the text has no end") }
        position += 1
        let written = String(line[start..<position])
        guard case .text(let text) = try? JSONNode(Array(written.utf8), depth: 1) else {
            throw fault(start, written, "this is no text of JSON")
        }
        return text
    }

    // MARK: Paths

    private mutating func path() throws(Fault) -> ScenarioPath {
        skipSpace()
        let start = position
        guard next == "." else {
            throw fault(start, plainWord(), "a path is expected, which begins with a period: .items[0].state")
        }
        var parts: [ScenarioPath.Part] = []
        // The path of the whole answer, and one that begins with brackets.
        if start + 1 >= line.count || !Self.isNamed(line[start + 1]) { position += 1 }
        while let character = next, character == "." || character == "[" {
            guard parts.count < ScenarioLimits.pathParts else {
                throw fault(start, "", "a path has at most \(ScenarioLimits.pathParts) parts")
            }
            let place = position
            position += 1
            if character == "." {
                let name = nameHere()
                guard !name.isEmpty else { throw fault(place, ".", "the name of a member has to follow the period") }
                parts.append(.member(name))
            } else {
                parts.append(try bracket(place))
            }
        }
        return ScenarioPath(parts: parts, column: start + 1)
    }

    private mutating func bracket(_ start: Int) throws(Fault) -> ScenarioPath.Part {
        skipSpace()
        let part: ScenarioPath.Part
        switch next {
        case "\"": part = .member(try string())
        case ".":
            let path = try path()
            guard !path.hasCondition else { throw fault(start, "[", "a condition has no condition in its path") }
            try require("==")
            part = .those(path, try operand())
        default:
            var digits = ""
            while let character = next, character == "-" || character.isASCII && character.isNumber {
                digits.append(character)
                position += 1
            }
            guard digits.count <= 6, let index = Int(digits) else {
                throw fault(
                    start, rest(from: start),
                    "brackets have a place as [0] or [-1], a condition as [.state == \"active\"], or a [\"name\"]")
            }
            part = .index(index)
        }
        skipSpace()
        guard next == "]" else { throw fault(position, rest(from: position), "] is expected") }
        position += 1
        return part
    }

    // MARK: Characters

    private var next: Character? { position < line.count ? line[position] : nil }

    private mutating func skipSpace() {
        while next?.isWhitespace == true { position += 1 }
    }

    /// What stands up to the next white space.
    private mutating func plainWord() -> String {
        var word = ""
        while let character = next, !character.isWhitespace {
            word.append(character)
            position += 1
        }
        return word
    }

    private mutating func nameHere() -> String {
        var name = ""
        while let character = next, Self.isNamed(character), name.count < ScenarioLimits.nameCharacters {
            name.append(character)
            position += 1
        }
        return name
    }

    private mutating func name(_ expected: String) throws(Fault) -> (String, Int) {
        skipSpace()
        let start = position
        let name = nameHere()
        guard Self.isName(name) else { throw fault(start, rest(from: start), "\(expected) is expected") }
        return (name, start + 1)
    }

    private mutating func require(_ mark: String) throws(Fault) {
        skipSpace()
        let start = position
        for character in mark {
            guard next == character else { throw fault(start, rest(from: start), "\(mark) is expected") }
            position += 1
        }
    }

    private mutating func end() throws(Fault) {
        skipSpace()
        guard let next, next != "#" else { return }
        throw fault(position, rest(from: position), "nothing is expected here any more")
    }

    /// What stands at a place, up to the next white space, for a fault.
    private func rest(from start: Int) -> String {
        String(line[min(start, line.count)...].prefix { !$0.isWhitespace }.prefix(ScenarioLimits.nameCharacters))
    }

    private func fault(_ start: Int, _ word: String, _ message: String) -> Fault {
        Fault(column: start + 1, word: word, message: message)
    }

    private static func isNamed(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.count <= ScenarioLimits.nameCharacters && text.allSatisfy(isNamed)
    }
}

extension ScenarioPath {
    fileprivate var hasCondition: Bool {
        parts.contains { if case .those = $0 { true } else { false } }
    }
}

extension JSONNode {
    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }

    fileprivate var isCount: Bool {
        guard case .number(let text) = self, let count = Int(text) else { return false }
        return count >= 0
    }
}
