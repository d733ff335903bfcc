/// A source text in its parts, line by line, and its code as tokens.
struct ScannedSource: Sendable {
    let lines: [SourceLine]
    let tokens: [Token]

    init(text: String, code: [UInt8], comments: [UInt8], literals: [UInt8]) {
        func split(_ bytes: some Collection<UInt8>) -> [String] {
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        let codeLines = split(code)
        let parts = zip(zip(split(text.utf8), codeLines), zip(split(comments), split(literals)))
        lines = parts.enumerated().map { index, part in
            SourceLine(
                number: index + 1, text: part.0.0, code: part.0.1, comment: part.1.0, literal: part.1.1)
        }
        tokens = Tokenizer.tokens(of: codeLines)
    }

    func line(_ number: Int) -> SourceLine? { lines.indices.contains(number - 1) ? lines[number - 1] : nil }

    /// The comment on a line and in the lines of comments directly above it, attributes in between left out.
    func comment(at number: Int) -> String {
        var comments = [line(number)?.comment ?? ""]
        var above = number - 1
        while let line = line(above) {
            let isAttribute = line.trimmedCode.hasPrefix("@")
            let isComment = line.trimmedCode.isEmpty && !line.trimmedComment.isEmpty
            guard isComment || isAttribute else { break }
            comments.insert(line.comment, at: 0)
            above -= 1
        }
        return comments.joined(separator: "\n")
    }

    /// Where a sequence of tokens begins, each time it occurs.
    func lines(of sequence: [String]) -> [Int] {
        guard let first = sequence.first else { return [] }
        return tokens.indices.filter { index in
            tokens[index].text == first && index + sequence.count <= tokens.count
                && zip(tokens[index...], sequence).allSatisfy { $0.text == $1 }
        }.map { tokens[$0].line }
    }
}
