/// What people look for first is there.
struct RequiredFiles: RepositoryRule {
    let sentence = "The repository has the files people look for first"

    var paths = [
        "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Documentation/Architecture.md",
        "Makefile", ".ci/run",
    ]

    func violations(in repository: Repository) -> [Violation] {
        paths.filter { repository.file($0) == nil }.map { Violation(path: $0, "the file is missing") }
    }
}
