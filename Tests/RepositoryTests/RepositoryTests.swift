import Testing

@Suite("The repository")
struct RepositoryTests {
    @Test("Nothing breaks a rule of the house", arguments: AllRules.list)
    func rules(rule: any RepositoryRule) {
        for violation in rule.violations(in: .this) {
            Issue.record("\(violation) (\(rule.sentence).)")
        }
    }

    @Test("The whole tree is looked at")
    func tree() {
        let paths = Set(Repository.this.files.map(\.path))
        #expect(paths.isSuperset(of: ["Package.swift", ".ci/run", "Scripts/test.sh", ".swift-format"]))
        #expect(paths.contains("Sources/Shared/StoreModel/StoreEnvironment.swift"))
        #expect(paths.contains("Tests/RepositoryTests/RepositoryTests.swift"))
        #expect(!paths.contains { $0.hasPrefix(".build/") || $0.hasPrefix(".git/") })
    }
}
