/// Every target of the package, and every folder that looks like one, stands in the table of arrows.
struct KnownTargets: RepositoryRule {
    let sentence = "Every target has its line in the table of arrows"

    var table = ImportTable.targets

    func violations(in repository: Repository) -> [Violation] {
        undeclaredArrows(in: repository) + strayFiles(in: repository)
    }

    private func undeclaredArrows(in repository: Repository) -> [Violation] {
        guard let package = repository.file("Package.swift"), let source = package.source else { return [] }
        return Self.targets(in: source).filter { table[$0.name] == nil }.map { target in
            Violation(package, target.line, "the target \(target.name) has no line in ImportTable.swift")
        }
    }

    private func strayFiles(in repository: Repository) -> [Violation] {
        repository.files.filter { $0.isSwift && $0.path != "Package.swift" }.compactMap { file in
            guard let target = file.target else { return Violation(file, "the file lies in the folder of no target") }
            return table[target] == nil
                ? Violation(file, "the folder of \(target) has no line in ImportTable.swift") : nil
        }
    }

    /// The targets a manifest declares: the first text of each call after `targets:`, whatever the call is named.
    static func targets(in source: ScannedSource) -> [(name: String, line: Int)] {
        guard let start = source.lines.first(where: { $0.code.contains("targets: [") && !$0.code.contains("]") })
        else { return [] }
        let lines = source.lines.drop { $0.number <= start.number }.prefix { $0.code.trimmingSpaces != "]," }
        var result: [(name: String, line: Int)] = []
        var call: String?
        for line in lines {
            let code = line.trimmedCode
            let opening = code.prefix { $0 != "(" }
            if code.contains("("), opening.allSatisfy({ $0.isLetter || $0 == "." }), !code.hasPrefix(".apt"),
                !code.hasPrefix(".product"), !code.hasPrefix(".byName"), !code.hasPrefix("path:")
            {
                call = String(opening)
            }
            guard let current = call, code.contains("\"") else { continue }
            guard let name = line.literal.split(whereSeparator: \.isWhitespace).first.map(String.init) else { continue }
            // The folders of tests begin with a capital, whatever they test.
            let tests = name.prefix(1).uppercased() + name.dropFirst() + "Tests"
            result.append((current == "tests" ? tests : name, line.number))
            call = nil
        }
        return result
    }
}
