/// What is not done is written where work is planned, not in the source.
struct OpenTasks: FileRule {
    let sentence = "No comment puts off work"

    func violations(in file: RepositoryFile) -> [Violation] {
        let texts: [String]
        if let source = file.source {
            texts = source.lines.map(\.comment)
        } else if file.isMarkdown {
            // A word in backticks is spoken of, not meant.
            texts = file.lines.map { line in
                line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined(separator: " ")
            }
        } else if file.isPython || file.path.hasSuffix(".sh") || file.name == "Makefile" {
            texts = file.lines.map { line in line.firstIndex(of: "#").map { String(line[$0...]) } ?? "" }
        } else {
            return []
        }
        return texts.enumerated().compactMap { index, text in
            Self.mark(in: text).map { Violation(file, index + 1, "\($0) puts off work; do it or plan it") }
        }
    }

    private static func mark(in text: String) -> String? {
        let words = text.alphanumericWords
        if let word = words.first(where: { ["TODO", "FIXME", "HACK"].contains($0) }) { return String(word) }
        // Three crosses are also the currency code of no currency.
        let isMark = words.first == "XXX" || text.contains("XXX:")
        return isMark ? "XXX" : nil
    }
}
