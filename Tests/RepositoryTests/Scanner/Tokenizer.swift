/// Breaks code without comments and literals into words and single signs.
enum Tokenizer {
    static func tokens(of lines: [String]) -> [Token] {
        var tokens: [Token] = []
        var depth = 0
        for (index, line) in lines.enumerated() {
            let bytes = Array(line.utf8)
            var position = 0
            var isAttached = false
            while position < bytes.count {
                let start = position
                // Backticks only let a name be a keyword.
                if bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") {
                    position += 1
                    isAttached = false
                    continue
                }
                if bytes[start] == UInt8(ascii: "`") {
                    position += 1
                    continue
                }
                while position < bytes.count, isWordByte(bytes[position]) { position += 1 }
                if position == start { position += 1 }
                let text = String(decoding: bytes[start..<position], as: UTF8.self)
                if text == "}" { depth -= 1 }
                tokens.append(Token(text: text, line: index + 1, depth: depth, isAttached: isAttached))
                if text == "{" { depth += 1 }
                isAttached = true
            }
        }
        return tokens
    }

    /// Letters, digits, underscores and everything beyond ASCII.
    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
