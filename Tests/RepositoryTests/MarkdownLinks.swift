import Foundation

extension Rule {
    static let links = Rule(
        "Every relative link in Markdown leads to a file, and its fragment to a heading",
        breaking:
            "# Two `Words`\n[a](#two-words) [b](https://x.y/z) `[c](none.md)`\n```\n[d](none.md)\n```\n[e](none.md)",
        in: "A.md"
    ) { file, repository in
        guard file.isMarkdown else { return [] }
        return Lines(prose(file)).matches(#"(?:\]\(|^\[[^\]]+\]: )([^)\s<]+)"#).filter { _, link in
            !link.contains("://") && !link.hasPrefix("mailto:") && !leads(link, from: file, in: repository)
        }
    }

    private static func leads(_ link: String, from file: SourceFile, in repository: Repository) -> Bool {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var target = file
        if !parts[0].isEmpty {
            let folder = parts[0].hasPrefix("/") ? "" : "/" + file.folders.joined(separator: "/")
            // Folders that lead out of the repository are left in the path, which then names no file.
            let path = URL(filePath: "/root\(folder)/\(parts[0])").standardizedFileURL.path + "/"
            guard path.hasPrefix("/root/") else { return false }
            let relative = path.dropFirst(6).dropLast()
            guard let linked = repository.file(String(relative)) else {
                return relative.isEmpty || repository.files.contains { $0.path.hasPrefix("\(relative)/") }
            }
            target = linked
        }
        return parts.count < 2 || !target.isMarkdown || anchors(in: target).contains(String(parts[1]))
    }

    /// The fragments that lead to headings, as the usual hosts make them.
    private static func anchors(in file: SourceFile) -> Set<String> {
        var anchors: Set<String> = []
        for (_, title) in Lines(prose(file, keepingCode: true)).matches(#"^#+ (.*)$"#) {
            let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            let anchor = kept.replacing(" ", with: "-")
            let repeated = (1...).lazy.map { "\(anchor)-\($0)" }.first { !anchors.contains($0) } ?? anchor
            anchors.insert(anchors.contains(anchor) ? repeated : anchor)
        }
        return anchors
    }

    /// The text with its fenced blocks blanked, and the code in its lines unless it is kept.
    private static func prose(_ file: SourceFile, keepingCode: Bool = false) -> String {
        var isFenced = false
        return file.lines.all.map { line in
            let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
            if isFence { isFenced.toggle() }
            guard !isFence, !isFenced else { return "" }
            return keepingCode ? line : line.replacing(/`[^`]*`/, with: "")
        }.joined(separator: "\n")
    }
}
