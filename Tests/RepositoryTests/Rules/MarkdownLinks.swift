import Foundation

/// A relative link leads to a file, and a fragment to one of its headings.
struct MarkdownLinks: RepositoryRule {
    let sentence = "Every relative link in Markdown leads somewhere"

    func violations(in repository: Repository) -> [Violation] {
        repository.files.filter(\.isMarkdown).flatMap { file in
            Self.links(in: file).compactMap { line, link in
                problem(of: link, from: file, in: repository).map { Violation(file, line, "\(link) \($0)") }
            }
        }
    }

    private func problem(of link: String, from file: RepositoryFile, in repository: Repository) -> String? {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].replacing("%20", with: " ")
        var target = file
        if !path.isEmpty {
            guard let resolved = Self.resolve(path, from: path.hasPrefix("/") ? [] : file.folders) else {
                return "leads out of the repository"
            }
            guard resolved.isEmpty || repository.contains(resolved) else { return "leads to nothing" }
            guard let linked = repository.file(resolved) else { return nil }
            target = linked
        }
        guard parts.count > 1, target.isMarkdown else { return nil }
        return Self.anchors(in: target).contains(parts[1]) ? nil : "leads to a heading that is not there"
    }

    private static func resolve(_ path: String, from folders: [String]) -> String? {
        var folders = folders
        for part in path.split(separator: "/") where part != "." {
            if part == ".." {
                if folders.popLast() == nil { return nil }
            } else {
                folders.append(String(part))
            }
        }
        return folders.joined(separator: "/")
    }

    /// The relative links outside of code, and where.
    static func links(in file: RepositoryFile) -> [(line: Int, link: String)] {
        proseLines(of: file).flatMap { line, text in
            let inline = text.components(between: "](", and: ")")
            let reference = text.hasPrefix("[") ? text.range(of: "]: ").map { [String(text[$0.upperBound...])] } : nil
            return (inline + (reference ?? [])).compactMap { link in
                let link = link.split(separator: " ").first.map(String.init) ?? ""
                let isElsewhere = link.contains("://") || link.hasPrefix("mailto:") || link.hasPrefix("<")
                return link.isEmpty || isElsewhere ? nil : (line, link)
            }
        }
    }

    /// The fragments that lead to headings, as the usual hosts make them.
    static func anchors(in file: RepositoryFile) -> Set<String> {
        var anchors: Set<String> = []
        for (_, text) in proseLines(of: file, keepingCode: true) where text.hasPrefix("#") {
            let title = text.drop { $0 == "#" }.trimmingSpaces.lowercased()
            let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            let anchor = kept.replacing(" ", with: "-")
            var unique = anchor
            var count = 1
            while !anchors.insert(unique).inserted {
                unique = "\(anchor)-\(count)"
                count += 1
            }
        }
        return anchors
    }

    /// The lines outside of fences, with the code inside them blanked unless it is kept.
    private static func proseLines(of file: RepositoryFile, keepingCode: Bool = false) -> [(Int, String)] {
        var isFenced = false
        return file.lines.enumerated().compactMap { index, line in
            if line.trimmingSpaces.hasPrefix("```") {
                isFenced.toggle()
                return nil
            }
            guard !isFenced else { return nil }
            let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
            let prose = pieces.enumerated().map { $0.offset.isMultiple(of: 2) ? String($0.element) : "" }.joined()
            return (index + 1, keepingCode ? String(line) : prose)
        }
    }
}

extension String {
    /// What stands between two signs, each time they occur.
    fileprivate func components(between opening: String, and closing: String) -> [String] {
        ranges(of: opening).compactMap { range in
            let rest = self[range.upperBound...]
            return rest.range(of: closing).map { String(rest[..<$0.lowerBound]) }
        }
    }
}
