import Testing

@Suite("Rules of the house")
struct RuleTests {
    @Test(
        "A rule finds what breaks it, and where",
        arguments: CodeRuleCases.list + NameRuleCases.list + TreeRuleCases.list + TextRuleCases.list)
    func breaking(ruleCase: RuleCase) {
        #expect(ruleCase.found == ruleCase.places)
    }

    @Test("Every rule has a case that breaks it and one that does not", arguments: AllRules.list)
    func covered(rule: any RepositoryRule) {
        let name = String(describing: type(of: rule))
        let cases = (CodeRuleCases.list + NameRuleCases.list + TreeRuleCases.list + TextRuleCases.list)
            .filter { String(describing: type(of: $0.rule)) == name }
        #expect(cases.contains { !$0.places.isEmpty }, "\(name) is never broken in a test")
        #expect(cases.contains { $0.places.isEmpty }, "\(name) is always broken in its tests")
    }
}
