/// What we add to types that are not ours would appear in every program that uses us.
struct PublicExtensions: RepositoryRule {
    let sentence = "No type of Foundation or the standard library is extended in public"

    func violations(in repository: Repository) -> [Violation] {
        let sources = repository.files.filter { $0.isSwift && $0.folders.first == "Sources" }
        let ours = Set(
            sources.compactMap(\.source).flatMap(TypeDeclaration.all).filter(\.isTopLevel).map(\.name))
        // StoreKit has the extensions that Apple's has.
        return sources.filter { $0.target != "StoreKit" }.flatMap { file in
            file.source.map { violations(in: file, $0, ours: ours) } ?? []
        }
    }

    private func violations(in file: RepositoryFile, _ source: ScannedSource, ours: Set<String>) -> [Violation] {
        let tokens = source.tokens
        return tokens.indices.dropLast().flatMap { index -> [Violation] in
            let extended = tokens[index + 1].text
            guard tokens[index].text == "extension", !ours.contains(extended) else { return [] }
            if index > 0, tokens[index - 1].text == "public" {
                return [Violation(file, tokens[index].line, "\(extended) is not ours, and is extended in public")]
            }
            guard let open = tokens[index...].firstIndex(where: { $0.text == "{" }) else { return [] }
            let depth = tokens[open].depth
            let body = tokens[(open + 1)...].prefix { $0.depth > depth }
            let head = tokens[index...open]
            var found = body.filter { ["public", "open"].contains($0.text) && $0.depth == depth + 1 }.map {
                Violation(file, $0.line, "a public member is added to \(extended), which is not ours")
            }
            if head.contains(where: { $0.text == "retroactive" }) {
                found.append(Violation(file, tokens[index].line, "\(extended) gets a conformance that is not ours"))
            }
            return found
        }
    }
}
