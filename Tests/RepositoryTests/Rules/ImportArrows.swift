/// A target imports only what its line of the table names and what those may reach.
struct ImportArrows: FileRule {
    let sentence = "Targets import along the arrows of the architecture"

    var table = ImportTable.targets

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source, file.isSwift, let target = file.target, table[target] != nil else { return [] }
        let allowed = ImportTable.reach(of: target, in: table)
        return Self.imports(in: source).compactMap { line, module in
            guard table[module] != nil, module != target, !allowed.contains(module) else { return nil }
            return Violation(file, line, "\(target) may not import \(module)")
        }
    }

    /// The modules that a source imports, and where.
    static func imports(in source: ScannedSource) -> [(line: Int, module: String)] {
        let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let tokens = source.tokens
        return tokens.indices.compactMap { index in
            guard tokens[index].text == "import" else { return nil }
            let named = tokens[(index + 1)...].prefix { $0.line == tokens[index].line }
            guard let module = named.drop(while: { kinds.contains($0.text) }).first else { return nil }
            return (tokens[index].line, module.text)
        }
    }
}
