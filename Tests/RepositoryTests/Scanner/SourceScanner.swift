/// Parts a source text into code, comments and the text of literals, so that a rule looks only where it means to.
///
/// The three parts have the length of the text: what belongs to another part is blank there, and lines stay lines.
/// Interpolations inside strings are code. Quotes stand in the code, so that a literal is still seen to be there.
struct SourceScanner {
    enum Language {
        case swift
        /// C and its headers: comments do not nest, characters stand in single quotes.
        case c
    }

    private let language: Language
    private let bytes: [UInt8]
    private var index = 0
    private var code: [UInt8]
    private var comments: [UInt8]
    private var literals: [UInt8]

    static func scan(_ text: String, language: Language = .swift) -> ScannedSource {
        var scanner = SourceScanner(text, language)
        scanner.scanCode(insideInterpolation: false)
        return ScannedSource(
            text: text, code: scanner.code, comments: scanner.comments, literals: scanner.literals)
    }

    private init(_ text: String, _ language: Language) {
        self.language = language
        bytes = Array(text.utf8)
        let blank = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        code = blank
        comments = blank
        literals = blank
    }

    private mutating func scanCode(insideInterpolation: Bool) {
        var parentheses = 0
        while let byte = byte(at: 0) {
            if starts(with: "//") {
                scanLineComment()
            } else if starts(with: "/*") {
                scanBlockComment()
            } else if let fence = openingFence() {
                scanString(fence)
            } else if language == .c && byte == UInt8(ascii: "'") {
                scanCharacter()
            } else if let length = lengthOfRegex() {
                take(length, into: \.literals)
            } else {
                if byte == UInt8(ascii: "(") { parentheses += 1 }
                if byte == UInt8(ascii: ")") { parentheses -= 1 }
                take(1, into: \.code)
                if insideInterpolation && parentheses == 0 { return }
            }
        }
    }

    private mutating func scanLineComment() {
        while let byte = byte(at: 0), byte != UInt8(ascii: "\n") { take(1, into: \.comments) }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        while byte(at: 0) != nil {
            if starts(with: "/*") && (depth == 0 || language == .swift) {
                depth += 1
                take(2, into: \.comments)
            } else if starts(with: "*/") {
                depth -= 1
                take(2, into: \.comments)
                if depth == 0 { return }
            } else {
                take(1, into: \.comments)
            }
        }
    }

    private mutating func scanCharacter() {
        take(1, into: \.code)
        while let byte = byte(at: 0), byte != UInt8(ascii: "'"), byte != UInt8(ascii: "\n") {
            take(byte == UInt8(ascii: "\\") ? 2 : 1, into: \.literals)
        }
        if byte(at: 0) == UInt8(ascii: "'") { take(1, into: \.code) }
    }
}

// Strings and regular expressions.
extension SourceScanner {
    /// How a string literal is fenced: by so many number signs and so many quotes.
    private struct Fence {
        let signs: Int
        let quotes: Int

        var isMultiline: Bool { quotes == 3 }
    }

    private func openingFence() -> Fence? {
        var signs = 0
        while language == .swift && byte(at: signs) == UInt8(ascii: "#") { signs += 1 }
        guard byte(at: signs) == UInt8(ascii: "\"") else { return nil }
        let isTriple =
            language == .swift && byte(at: signs + 1) == UInt8(ascii: "\"") && byte(at: signs + 2) == UInt8(ascii: "\"")
        // The text of a multi-line literal begins on the next line; anything else is an empty string or a raw quote.
        return Fence(signs: signs, quotes: isTriple && isBlankToEndOfLine(from: signs + 3) ? 3 : 1)
    }

    private func isBlankToEndOfLine(from offset: Int) -> Bool {
        var offset = offset
        while let byte = byte(at: offset), byte == UInt8(ascii: " ") { offset += 1 }
        return byte(at: offset) == nil || byte(at: offset) == UInt8(ascii: "\n")
    }

    private mutating func scanString(_ fence: Fence) {
        take(fence.signs + fence.quotes, into: \.code)
        while let byte = byte(at: 0) {
            if isClosed(fence) {
                take(fence.quotes + fence.signs, into: \.code)
                return
            }
            if byte == UInt8(ascii: "\n") && !fence.isMultiline { return }
            let isEscape = byte == UInt8(ascii: "\\") && hasSigns(fence.signs, at: 1)
            if isEscape && language == .swift && self.byte(at: fence.signs + 1) == UInt8(ascii: "(") {
                take(fence.signs + 1, into: \.literals)
                scanCode(insideInterpolation: true)
            } else {
                take(isEscape ? fence.signs + 2 : 1, into: \.literals)
            }
        }
    }

    private func isClosed(_ fence: Fence) -> Bool {
        (0..<fence.quotes).allSatisfy { byte(at: $0) == UInt8(ascii: "\"") } && hasSigns(fence.signs, at: fence.quotes)
    }

    private func hasSigns(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(at: offset + $0) == UInt8(ascii: "#") }
    }

    /// The length of the regular expression that begins here, if one does.
    private func lengthOfRegex() -> Int? {
        guard language == .swift else { return nil }
        if starts(with: "#/") { return length(from: 2, to: "/#", acrossLines: isBlankToEndOfLine(from: 2)) }
        guard byte(at: 0) == UInt8(ascii: "/"), let next = byte(at: 1), !" \t\n)".utf8.contains(next) else {
            return nil
        }
        // A slash after a value divides; after one of these only a literal can begin.
        let before = code[..<index].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        guard before.map({ "(,=:[{?!&|;".utf8.contains($0) }) ?? true else { return nil }
        return length(from: 1, to: "/", acrossLines: false)
    }

    private func length(from start: Int, to end: String, acrossLines: Bool) -> Int? {
        var offset = start
        while let byte = byte(at: offset) {
            if byte == UInt8(ascii: "\n") && !acrossLines { return nil }
            if bytes[(index + offset)...].starts(with: end.utf8) { return offset + end.utf8.count }
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}

extension SourceScanner {
    private func byte(at offset: Int) -> UInt8? {
        let position = index + offset
        return position < bytes.count ? bytes[position] : nil
    }

    private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(_ count: Int, into part: WritableKeyPath<SourceScanner, [UInt8]>) {
        let end = min(index + count, bytes.count)
        for position in index..<end { self[keyPath: part][position] = bytes[position] }
        index = end
    }
}
