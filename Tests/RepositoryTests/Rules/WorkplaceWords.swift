/// The repository speaks of the program, not of how and where it came to be written.
///
/// The words are put together from pieces, so that this file does not contain what it forbids.
struct WorkplaceWords: FileRule {
    let sentence = "Nothing mentions the workplace"

    private static let paths = ["/" + "work/"]
    private static let numbered: Set<String> = ["session", "issue"]
    private static let documents = ["DESIGN", "PAINS", "REQUIREMENTS", "STYLE"].map { "\($0).md" } + ["DESIGN" + " §"]
    private static let names: Set<String> = [
        "clau" + "de", "anthro" + "pic", "chat" + "gpt", "open" + "ai", "co" + "pilot", "ll" + "m",
    ]
    private static let helper = "age" + "nt"

    func violations(in file: RepositoryFile) -> [Violation] {
        guard file.path != "LICENSE", !file.isGolden else { return [] }
        return file.lines.enumerated().flatMap { index, line in
            Self.mentions(in: line).map { Violation(file, index + 1, "\"\($0)\" is of the workplace") }
        }
    }

    private static func mentions(in line: Substring) -> [String] {
        var found = (paths + documents).filter { line.contains($0) }
        let words = line.lowercased().alphanumericWords.map(String.init)
        for (index, word) in words.enumerated() {
            let before = index > 0 ? words[index - 1] : ""
            let after = index + 1 < words.count ? words[index + 1] : ""
            if names.contains(word) { found.append(word) }
            if numbered.contains(word) && !after.isEmpty && after.allSatisfy(\.isNumber) {
                found.append("\(word) \(after)")
            }
            // A user agent is a header of HTTP.
            if (word == helper || word == helper + "s") && before != "user" { found.append(word) }
        }
        return found
    }
}
