import Testing

@Suite("The repository")
struct RepositoryTests {
    @Test("Nothing breaks a rule of the house", arguments: Rule.all)
    func rules(rule: Rule) {
        for violation in rule.violations(in: .this) {
            Issue.record("\(violation.path):\(violation.line): \(violation.text) (\(rule.sentence).)")
        }
    }

    @Test("A rule finds what breaks it, and where", arguments: Rule.all)
    func breaking(rule: Rule) {
        let found = rule.violations(in: Repository([rule.example])).map(\.line)
        #expect(found == [rule.example.lines.all.count - 1])
    }

    @Test("The repository has the files people look for first, and the rules read them")
    func files() {
        let required = [
            "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Documentation/Architecture.md",
            "Makefile", ".ci/run", "Package.swift", "Tests/RepositoryTests/RepositoryTests.swift",
        ]
        for path in required { #expect(Repository.this.file(path)?.text.isEmpty == false, "\(path)") }
        #expect(!Repository.this.files.contains { $0.path.hasPrefix(".build/") || $0.path.hasPrefix(".git/") })
    }

    @Test("Every line of the table of arrows names targets that have a line, and no target reaches itself")
    func table() {
        for (target, named) in ImportTable.targets {
            for name in named { #expect(ImportTable.targets[name] != nil, "\(target) names \(name)") }
            #expect(!ImportTable.reach(of: target).contains(target), "\(target)")
        }
    }

    @Test("The store does not import the device, nor the device the store's database")
    func sides() {
        for target in ["StoreCatalogue", "StoreService", "StoreServer", "StoreWeb", "till"] {
            #expect(!ImportTable.reach(of: target).contains("StoreKit"), "\(target)")
        }
        #expect(!ImportTable.reach(of: "StoreKit").contains("StoreDatabase"))
        #expect(!ImportTable.reach(of: "StoreBackend").contains("StoreService"))
        for target in ["StoreService", "StoreServer", "StoreWeb"] {
            #expect(!ImportTable.reach(of: target).contains("StoreBackend"), "\(target)")
        }
        #expect(!ImportTable.reach(of: "StoreCatalogue").contains("StoreService"))
        #expect(!ImportTable.reach(of: "TestProcessor").contains("StoreDatabase"))
        #expect(ImportTable.reach(of: "StoreModel") == ["CLinux", "CTexts", "StoreFoundation"])
    }
}
