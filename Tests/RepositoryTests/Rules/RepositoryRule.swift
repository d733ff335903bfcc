/// Something that holds for the whole repository.
protocol RepositoryRule: Sendable {
    /// The rule as a sentence without its full stop.
    var sentence: String { get }

    func violations(in repository: Repository) -> [Violation]
}

/// A rule that looks at one file at a time.
protocol FileRule: RepositoryRule {
    func violations(in file: RepositoryFile) -> [Violation]
}

extension FileRule {
    func violations(in repository: Repository) -> [Violation] { repository.files.flatMap(violations(in:)) }
}
