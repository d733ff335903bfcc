/// Text set into lines of a width.
struct TextColumn {
    let width: Int

    /// Lines that hold as many of the pieces as fit, one space between them; a piece is never broken.
    func lines(of pieces: some Sequence<String>) -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in pieces {
            if line.isEmpty {
                line = piece
            } else if line.count + 1 + piece.count <= width {
                line += " \(piece)"
            } else {
                lines.append(line)
                line = piece
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// The words of a text, wrapped.
    func lines(of text: String) -> [String] {
        lines(of: text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Paragraphs, which an empty line divides, each wrapped; an indented paragraph keeps its lines.
    func paragraphs(of text: String) -> [String] {
        var result: [String] = []
        var paragraph: [Substring] = []
        func flush() {
            guard let first = paragraph.first else { return }
            if !result.isEmpty { result.append("") }
            result += first.hasPrefix(" ") ? paragraph.map(String.init) : lines(of: paragraph.joined(separator: " "))
            paragraph = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) { flush() } else { paragraph.append(line) }
        }
        flush()
        return result
    }
}
