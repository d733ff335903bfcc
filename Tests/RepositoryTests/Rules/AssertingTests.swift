/// A test that asserts nothing cannot fail.
struct AssertingTests: FileRule {
    let sentence = "Every file with tests asserts something"

    func violations(in file: RepositoryFile) -> [Violation] {
        guard file.folders.first == "Tests" else { return [] }
        if let source = file.source, file.isSwift {
            guard let test = source.lines(of: ["@", "Test"]).first else { return [] }
            let assertions = [["#", "expect"], ["#", "require"], ["Issue", ".", "record"], ["confirmation"]]
            let asserts = assertions.contains { !source.lines(of: $0).isEmpty }
            return asserts ? [] : [Violation(file, test, "tests without an assertion")]
        }
        guard file.isPython, file.name.hasPrefix("test_") else { return [] }
        let asserts = file.lines.contains { line in
            let code = line.trimmingSpaces
            return code.hasPrefix("assert ") || code.hasPrefix("assert(") || code.contains("pytest.raises(")
        }
        return asserts ? [] : [Violation(file, "tests without an assertion")]
    }
}
