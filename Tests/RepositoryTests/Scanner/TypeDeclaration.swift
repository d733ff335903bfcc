/// A type that a source declares.
struct TypeDeclaration: Hashable {
    let kind: String
    let name: String
    let line: Int
    let isTopLevel: Bool
    let isPublic: Bool
    /// Where its tokens stand: from the name to the closing brace.
    let range: Range<Int>

    private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    private static let modifiers: Set<String> = [
        "public", "open", "package", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
    ]

    static func all(in source: ScannedSource) -> [TypeDeclaration] {
        let tokens = source.tokens
        return tokens.indices.dropLast().compactMap { index in
            let token = tokens[index]
            let name = tokens[index + 1]
            let before = index > 0 ? tokens[index - 1].text : ""
            // `class func`, `import struct`, `.class` and `: class` declare no type.
            guard kinds.contains(token.text), name.isWord, name.text.first?.isUppercase == true,
                !["import", ".", ":", ","].contains(before)
            else { return nil }
            var access: [String] = []
            for token in tokens[..<index].reversed() {
                guard modifiers.contains(token.text) else { break }
                access.append(token.text)
            }
            return TypeDeclaration(
                kind: token.text, name: name.text, line: token.line, isTopLevel: token.depth == 0,
                isPublic: access.contains("public") || access.contains("open"),
                range: body(after: index, in: tokens, ofTypealias: token.text == "typealias"))
        }
    }

    private static func body(after index: Int, in tokens: [Token], ofTypealias: Bool) -> Range<Int> {
        guard !ofTypealias, let open = tokens[index...].firstIndex(where: { $0.text == "{" }) else {
            return index + 1..<index + 2
        }
        let close = tokens[open...].firstIndex { $0.text == "}" && $0.depth == tokens[open].depth }
        return index + 1..<(close ?? tokens.count - 1) + 1
    }
}
