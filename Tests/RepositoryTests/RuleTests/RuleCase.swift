import Testing

/// A small tree and the places where a rule has to find it broken.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let rule: any RepositoryRule
    let files: [(path: String, text: String)]
    /// As `path:line`.
    let places: [String]

    init(_ rule: any RepositoryRule, _ files: KeyValuePairs<String, String>, breaksAt places: [String]) {
        self.rule = rule
        self.files = files.map { (path: $0.key, text: $0.value) }
        self.places = places
    }

    /// One Swift file of a target of the store, broken at some lines or at none.
    init(_ rule: any RepositoryRule, _ text: String, breaksAt lines: Int..., path: String = RuleCase.path) {
        self.init(rule, [path: text], breaksAt: lines.map { "\(path):\($0)" })
    }

    static let path = "Sources/Shared/StoreSigning/Sample.swift"

    var testDescription: String { "\(type(of: rule)): \(files.first?.text.prefix(60) ?? "")" }

    var found: [String] {
        let repository = Repository(files.map { RepositoryFile(path: $0.path, text: $0.text) })
        return rule.violations(in: repository).sorted { ($0.path, $0.line) < ($1.path, $1.line) }
            .map { "\($0.path):\($0.line)" }
    }
}
