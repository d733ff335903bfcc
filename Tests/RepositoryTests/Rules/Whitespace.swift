/// Space that nobody sees makes differences that nobody meant.
struct Whitespace: FileRule {
    let sentence = "No tabs, no space at the end of lines, one newline at the end of files"

    func violations(in file: RepositoryFile) -> [Violation] {
        guard !file.text.isEmpty, !file.isGolden, file.name != "LICENSE" else { return [] }
        var found: [Violation] = []
        for (index, line) in file.lines.enumerated() {
            if line.utf8.contains(UInt8(ascii: "\t")) && file.name != "Makefile" {
                found.append(Violation(file, index + 1, "a tab; use spaces"))
            }
            if line.utf8.contains(UInt8(ascii: "\r")) { found.append(Violation(file, index + 1, "a carriage return")) }
            if line.utf8.last == UInt8(ascii: " ") || line.utf8.last == UInt8(ascii: "\t") {
                found.append(Violation(file, index + 1, "space at the end of the line"))
            }
        }
        if file.text.utf8.last != UInt8(ascii: "\n") {
            found.append(Violation(file, file.lines.count, "no newline at the end"))
        }
        if file.lines.suffix(2).allSatisfy(\.isEmpty) {
            found.append(Violation(file, file.lines.count - 1, "an empty line at the end"))
        }
        return found
    }
}
