import Testing

/// Something that holds for the whole repository.
protocol RepositoryRule: Sendable, CustomTestStringConvertible {
    /// The rule as a sentence without its full stop.
    var sentence: String { get }

    func violations(in repository: Repository) -> [Violation]
}

extension RepositoryRule {
    var testDescription: String { String(describing: type(of: self)) }
}

/// A rule that looks at one file at a time.
protocol FileRule: RepositoryRule {
    func violations(in file: RepositoryFile) -> [Violation]
}

extension FileRule {
    func violations(in repository: Repository) -> [Violation] { repository.files.flatMap(violations(in:)) }
}
