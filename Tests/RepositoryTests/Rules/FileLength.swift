/// A long file hides a second subject.
struct FileLength: FileRule {
    let sentence = "No source file is longer than 400 lines"

    var limit = 400

    private static let endings = ["swift", "c", "h", "py", "sh", "js", "css", "html", "sql"]

    func violations(in file: RepositoryFile) -> [Violation] {
        guard Self.endings.contains(where: { file.path.hasSuffix(".\($0)") }), !file.isGolden else { return [] }
        let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
        guard count > limit else { return [] }
        return [Violation(file, limit + 1, "\(count) lines; look for the second subject hiding in it")]
    }
}
