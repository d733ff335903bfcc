/// `make test` runs Swift Testing alone; a test of another framework would pass by never running.
struct OneTestFramework: FileRule {
    let sentence = "Tests are written with Swift Testing"

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source, file.isSwift, file.folders.first == "Tests" else { return [] }
        return ImportArrows.imports(in: source).filter { $0.module == "XCTest" }.map { line, _ in
            Violation(file, line, "make test does not run XCTest")
        }
    }
}
