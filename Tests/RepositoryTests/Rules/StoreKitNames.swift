/// StoreModel is imported beside StoreKit, so none of its public types may take a name of StoreKit's.
struct StoreKitNames: FileRule {
    let sentence = "No public type of StoreModel is named like one of StoreKit"

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source, file.isSwift, file.target == "StoreModel" else { return [] }
        return TypeDeclaration.all(in: source)
            .filter { $0.isTopLevel && $0.isPublic && StoreKitTypeNames.all.contains($0.name) }
            .map { Violation(file, $0.line, "\($0.name) is a type of StoreKit; choose another name") }
    }
}
