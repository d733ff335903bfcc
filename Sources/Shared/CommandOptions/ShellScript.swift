import StoreModel

/// The commands of a script for a POSIX shell, as far as they can be read without running it.
///
/// Quotes, comments, pipes, substitutions, redirections and here-documents are understood; nothing is expanded, so variables
/// and substitutions stay in the words as they are written.
package struct ShellScript: Sendable {
    /// One simple command: `TILL_DATA=/srv/till till keys show`.
    package struct Command: Hashable, Sendable {
        /// The line on which it begins, counted from 1.
        package let line: Int
        /// The variables that are set for this command alone.
        package let variables: [String: String]
        /// The program and its arguments, without quotes.
        package let words: [String]

        /// Whether the shell puts a word together: its text is known when the script runs.
        package var isExpanded: Bool { words.contains { $0.utf8.contains(UInt8(ascii: "$")) } }
    }

    /// All commands, those within substitutions too, in the order in which they end.
    package let commands: [Command]

    package init(_ text: String) {
        var reader = ShellReader(text)
        reader.readCommands()
        commands = reader.commands
    }
}

extension Program {
    /// What this program does not understand of the commands of a script that call it.
    ///
    /// A value that the shell puts together is taken for a good one. Nothing is run.
    package func mistakes(in script: ShellScript) -> [(line: Int, error: UsageError)] {
        script.commands.compactMap { command in
            guard let name = command.words.first?.split(separator: "/").last, name == root.name else { return nil }
            let result = parse(command.words.dropFirst(), environment: command.variables)
            guard case .failure(let error) = result else { return nil }
            if error.code == .invalidValue, command.isExpanded { return nil }
            return (command.line, error)
        }
    }
}

/// Reads a script byte by byte.
private struct ShellReader {
    private(set) var commands: [ShellScript.Command] = []

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    /// The words that end the here-documents which begin on the next line.
    private var documents: [String] = []
    private var depth = 0
    /// What ends the substitution that is being read.
    private var closing: UInt8?

    /// How deep substitutions may stand in each other; deeper ones are text.
    private static let deepest = 20
    /// Words before a command that belong to the shell, or run the rest of the line.
    private static let leading: Set<String> = [
        "!", "{", "if", "then", "elif", "else", "while", "until", "do", "exec", "command", "env", "nohup", "sudo",
        "time",
    ]

    init(_ text: String) { bytes = Array(text.utf8) }

    private func peek(_ offset: Int = 0) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

    private mutating func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        index += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    /// Reads commands up to the end of the substitution, or of the script.
    mutating func readCommands() {
        var words: [String] = []
        var first = line
        while let byte = peek() {
            if byte == closing {
                _ = next()
                break
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): _ = next()
            case UInt8(ascii: "\\") where peek(1) == UInt8(ascii: "\n"):
                index += 1
                _ = next()
            case UInt8(ascii: "\n"):
                _ = next()
                end(&words, first)
                skipDocuments()
            case UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "("), UInt8(ascii: ")"):
                _ = next()
                end(&words, first)
            case UInt8(ascii: "#"): while let byte = peek(), byte != UInt8(ascii: "\n") { _ = next() }
            case UInt8(ascii: "<"), UInt8(ascii: ">"):
                if peek(1) == UInt8(ascii: "(") {
                    words.append(readWord())
                } else {
                    skipRedirection(&words)
                }
            default:
                if words.isEmpty { first = line }
                words.append(readWord())
            }
        }
        end(&words, first)
    }

    private mutating func end(_ words: inout [String], _ line: Int) {
        defer { words = [] }
        var rest = words[...]
        var variables: [String: String] = [:]
        while let word = rest.first {
            if let equals = word.firstIndex(of: "="), word[..<equals].allSatisfy({ $0.isLetter || $0 == "_" }) {
                variables[String(word[..<equals])] = String(word[word.index(after: equals)...])
            } else if !Self.leading.contains(word) {
                break
            }
            rest.removeFirst()
        }
        if !rest.isEmpty { commands.append(.init(line: line, variables: variables, words: Array(rest))) }
    }

    /// Skips `2>&1`, `> file`, `<<< text`, and notes the end of `<< END`.
    private mutating func skipRedirection(_ words: inout [String]) {
        if let number = words.last, index > 0, bytes[index - 1] != UInt8(ascii: " "), Int(number) != nil {
            words.removeLast()
        }
        let isDocument = peek(1) == UInt8(ascii: "<") && peek(2) != UInt8(ascii: "<")
        while let byte = peek(), "<>&|-".utf8.contains(byte) { _ = next() }
        while let byte = peek(), " \t".utf8.contains(byte) { _ = next() }
        let target = readWord()
        if isDocument { documents.append(target) }
    }

    private mutating func skipDocuments() {
        for end in documents {
            while let byte = peek() {
                var text = [byte]
                while let byte = next(), byte != UInt8(ascii: "\n") { text.append(byte) }
                if String(decoding: text.dropFirst(), as: UTF8.self).drop(while: { $0 == "\t" }) == end { break }
            }
        }
        documents = []
    }

    private mutating func readWord() -> String {
        var word: [UInt8] = []
        while let byte = peek(), byte != closing {
            switch byte {
            case UInt8(ascii: "'"):
                _ = next()
                while let byte = next(), byte != UInt8(ascii: "'") { word.append(byte) }
            case UInt8(ascii: "\""):
                _ = next()
                readQuoted(into: &word)
            case UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`"): readSpecial(into: &word)
            case UInt8(ascii: "<") where peek(1) == UInt8(ascii: "(") && word.isEmpty,
                UInt8(ascii: ">") where peek(1) == UInt8(ascii: "(") && word.isEmpty:
                _ = next()
                readSubstitution(into: &word)
            default:
                if " \t\r\n;|&()<>".utf8.contains(byte) { return String(decoding: word, as: UTF8.self) }
                _ = next()
                word.append(byte)
            }
        }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func readQuoted(into word: inout [UInt8]) {
        while let byte = peek(), byte != UInt8(ascii: "\"") {
            if "\\$`".utf8.contains(byte) {
                readSpecial(into: &word)
            } else {
                _ = next()
                word.append(byte)
            }
        }
        _ = next()
    }

    /// Reads what follows a backslash, a dollar sign or a backtick.
    private mutating func readSpecial(into word: inout [UInt8]) {
        switch next() {
        case UInt8(ascii: "\\"):
            if let byte = next(), byte != UInt8(ascii: "\n") { word.append(byte) }
        case UInt8(ascii: "`"): readNested(until: UInt8(ascii: "`"), into: &word)
        case _ where peek() == UInt8(ascii: "("): readSubstitution(into: &word)
        case _ where peek() == UInt8(ascii: "{"):
            word.append(UInt8(ascii: "$"))
            while let byte = next(), byte != UInt8(ascii: "}") { word.append(byte) }
            word.append(UInt8(ascii: "}"))
        default: word.append(UInt8(ascii: "$"))
        }
    }

    private mutating func readSubstitution(into word: inout [UInt8]) {
        _ = next()
        readNested(until: UInt8(ascii: ")"), into: &word)
    }

    private mutating func readNested(until closing: UInt8, into word: inout [UInt8]) {
        word += "$()".utf8
        guard depth < Self.deepest else { return }
        let outer = self.closing
        self.closing = closing
        depth += 1
        readCommands()
        depth -= 1
        self.closing = outer
    }
}
