/// What can stop the program or step around the compiler's proofs needs a proof of its own beside it.
struct ProvenTraps: FileRule {
    let sentence = "Every trap and every unchecked promise has a comment that begins with Safe:"

    private static let traps: [[String]] = [
        ["fatalError"], ["preconditionFailure"], ["assertionFailure"],
        ["@", "unchecked", "Sendable"], ["nonisolated", "(", "unsafe", ")"], ["unowned", "(", "unsafe", ")"],
        ["unsafeBitCast"], ["unsafeDowncast"],
    ]

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source, file.isSwift else { return [] }
        var found: [(line: Int, name: String)] = Self.traps.flatMap { trap in
            source.lines(of: trap).map { ($0, trap.joined(separator: trap[0] == "@" ? "" : " ")) }
        }
        found += exclamations(in: source)
        return found.sorted { $0.line < $1.line }.filter { !isProven(source.comment(at: $0.line)) }.map {
            Violation(file, $0.line, "\($0.name) needs a comment '// Safe: …' that says why it cannot fail")
        }
    }

    /// `try!`, `as!` and forced unwrapping: a sign that stands at the end of something, not before it.
    private func exclamations(in source: ScannedSource) -> [(line: Int, name: String)] {
        let tokens = source.tokens
        return tokens.indices.dropFirst().compactMap { index in
            let before = tokens[index - 1]
            guard tokens[index].text == "!", tokens[index].isAttached else { return nil }
            let followsValue = before.isWord || [")", "]", "\"", "?", ">", "}"].contains(before.text)
            let isComparison = index + 1 < tokens.count && tokens[index + 1].text == "=" && tokens[index + 1].isAttached
            guard followsValue && !isComparison else { return nil }
            return (tokens[index].line, ["try", "as"].contains(before.text) ? "\(before.text)!" : "!")
        }
    }

    /// Whether a comment gives a reason of at least three words.
    private func isProven(_ comment: String) -> Bool {
        guard let mark = comment.ranges(of: "Safe:").last else { return false }
        return comment[mark.upperBound...].alphanumericWords.count >= 3
    }
}
