/// Code in a comment is neither compiled nor tested; history keeps it better.
struct DisabledCode: FileRule {
    let sentence = "No comment holds code that was switched off"

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source else { return [] }
        return source.lines.compactMap { line in
            // Documentation may show code; it does so between fences or indented.
            let (text, isDocumentation) = line.commentBody
            guard !isDocumentation, !text.isEmpty, looksLikeCode(text) else { return nil }
            return Violation(file, line.number, "this comment looks like code: \(text.prefix(60))")
        }
    }

    private func looksLikeCode(_ text: String) -> Bool {
        if text.hasSuffix("{") || text.hasSuffix(";") || text == "}" || text == "})" { return true }
        let words = text.split(separator: " ")
        guard let first = words.first, !text.hasSuffix("."), !text.hasSuffix(":") else { return false }
        if ["let", "var"].contains(first) && text.contains(" = ") { return true }
        if ["import", "return", "throw", "@testable"].contains(first) && words.count == 2 { return true }
        if ["#expect", "#require", "@Test", "@Suite"].contains(where: text.hasPrefix) { return true }
        if ["func", "private", "public", "package", "static"].contains(first) && text.contains("(") { return true }
        return isCall(text) || isAssignment(words)
    }

    /// `name(…)`, `one.two(…)`, `try await name(…)`
    private func isCall(_ text: String) -> Bool {
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return false }
        let words = text[..<open].split(separator: " ", omittingEmptySubsequences: false)
        guard let name = words.last, !name.isEmpty else { return false }
        return words.dropLast().allSatisfy { ["try", "await", "try!", "try?", "return"].contains($0) }
            && name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
    }

    /// `name = …`, `one.two += …`
    private func isAssignment(_ words: [Substring]) -> Bool {
        guard words.count > 2, ["=", "+=", "-="].contains(words[1]) else { return false }
        return words[0].first?.isLowercase == true && words[0].allSatisfy { $0.isLetter || "._".contains($0) }
    }
}
