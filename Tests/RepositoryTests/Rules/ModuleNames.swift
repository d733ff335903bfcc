/// A type named like a module hides everything else in that module from those who must qualify a name.
///
/// Nobody imports a test, so suites may have the names of their targets.
struct ModuleNames: FileRule {
    let sentence = "No type is named like a module of ours"

    private static let modules = Set(ImportTable.targets.keys.map { $0.replacing("-", with: "_") })

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source, file.isSwift, file.folders.first != "Tests" else { return [] }
        return TypeDeclaration.all(in: source).filter { Self.modules.contains($0.name) }.map {
            Violation(file, $0.line, "the type \($0.name) is named like a module")
        }
    }
}
