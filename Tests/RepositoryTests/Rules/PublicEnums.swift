/// A public enumeration can never grow without breaking those who switch over it.
struct PublicEnums: FileRule {
    let sentence = "A public enum has no cases, or a comment that begins with Closed:"

    func violations(in file: RepositoryFile) -> [Violation] {
        // StoreKit's enumerations are exactly Apple's.
        guard let source = file.source, file.isSwift, file.folders.first == "Sources",
            !["StoreKit", "StoreKitTest"].contains(file.target)
        else { return [] }
        return TypeDeclaration.all(in: source)
            .filter { $0.kind == "enum" && $0.isPublic && hasCases($0, source) }
            .filter { !isClosed(source.comment(at: $0.line)) }
            .map { Violation(file, $0.line, "the public enum \($0.name) needs '// Closed: …' with why it cannot grow") }
    }

    private func hasCases(_ declaration: TypeDeclaration, _ source: ScannedSource) -> Bool {
        let tokens = source.tokens[declaration.range]
        guard let open = tokens.first(where: { $0.text == "{" }) else { return false }
        return tokens.contains { $0.text == "case" && $0.depth == open.depth + 1 }
    }

    private func isClosed(_ comment: String) -> Bool {
        guard let mark = comment.ranges(of: "Closed:").last else { return false }
        return comment[mark.upperBound...].alphanumericWords.count >= 3
    }
}
