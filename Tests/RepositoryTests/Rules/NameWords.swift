/// Names say what a thing is; some words never do.
struct NameWords: FileRule {
    let sentence = "No type or file has a name without meaning"

    private static let empty: Set<String> = [
        "Manager", "Managers", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities",
    ]

    func violations(in file: RepositoryFile) -> [Violation] {
        guard let source = file.source, file.isSwift else { return [] }
        var found: [Violation] = []
        if let word = meaninglessWord(in: file.name) {
            found.append(Violation(file, 1, "the file is named with \(word), which says nothing"))
        }
        for declaration in TypeDeclaration.all(in: source) {
            guard let word = meaninglessWord(in: declaration.name) else { continue }
            found.append(Violation(file, declaration.line, "\(declaration.name) is named with \(word)"))
        }
        return found
    }

    private func meaninglessWord(in name: String) -> String? {
        let words = Self.words(of: name)
        if let word = words.first(where: Self.empty.contains) { return word }
        let numbered = words.first { $0.hasPrefix("Handler") && $0.last?.isNumber == true }
        return numbered
    }

    /// The words of a name in camel case, digits with the word before them.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || !character.isLetter && !character.isNumber || words.isEmpty {
                words.append("")
            }
            if character.isLetter || character.isNumber { words[words.count - 1].append(character) }
        }
        return words.filter { !$0.isEmpty }
    }
}
