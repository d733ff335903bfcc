import Foundation
import Synchronization

/// The files of the repository, as they are in the working tree.
struct Repository: Sendable {
    let files: [SourceFile]
    /// The names of the types that its sources declare.
    let types: Set<String>

    static let this = Repository(at: URL(filePath: #filePath + "/../../..").standardizedFileURL)

    /// Folders of build products and installed packages, at any depth.
    private static let skipped: Set = [
        ".git", ".build", ".venv", ".swiftpm", "__pycache__", ".pytest_cache", "till_data",
    ]

    init(_ files: [SourceFile]) {
        self.files = files
        types = Set(files.filter { $0.folders.first == "Sources" }.flatMap { $0.types.map(\.text) })
    }

    init(at root: URL) {
        let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [SourceFile] = []
        while let url = paths?.nextObject() as? URL {
            if Self.skipped.contains(url.lastPathComponent) {
                paths?.skipDescendants()
            } else if (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true {
                let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
                files.append(SourceFile(String(url.path.dropFirst(root.path.count + 1)), text))
            }
        }
        self.init(files.sorted { $0.path < $1.path })
    }

    func file(_ path: String) -> SourceFile? { files.first { $0.path == path } }
}

/// One file, split into code, comments and the text of literals if it is Swift or C.
struct SourceFile: Sendable {
    /// The path from the root of the repository.
    let path: String
    /// The text; empty for a file that is not UTF-8.
    let text: String
    /// The code without comments and literals. Interpolations in literals are code.
    let code: Lines
    let comments: Lines
    let literals: Lines

    init(_ path: String, _ text: String) {
        (self.path, self.text) = (path, text)
        let isSource = [".swift", ".c", ".h"].contains { path.hasSuffix($0) }
        (code, comments, literals) = Self.split(isSource ? text : "")
    }

    var lines: Lines { Lines(text) }
    /// The types that it declares, with their lines.
    var types: [(line: Int, text: String)] {
        isSwift ? code.matches(#"(?<!\bimport )\b(?:struct|class|enum|actor|protocol|typealias) ([A-Z]\w*)"#) : []
    }
    var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    var name: String { String(path.split(separator: "/").last ?? "") }
    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }
    /// Bytes that another tool made, kept as they are.
    var isGolden: Bool { folders.contains("Golden") || folders.contains("Fixtures") }

    /// The target that a file belongs to, by its folder.
    var target: String? {
        switch (folders.first, folders.dropFirst().first) {
        case ("Sources", _), ("Tests", "Conformance"), ("Tests", "Browser"), ("Tests", "Simulation"):
            folders.dropFirst(2).first
        case ("Tests", let target), ("Benchmarks", let target), ("Samples", let target): target
        default: nil
        }
    }

    /// The comment on a line and in the comment lines directly above it, skipping attributes.
    func comment(at line: Int) -> String {
        var found = comments[line]
        var above = line - 1
        while above > 0, code[above].hasPrefix("@") || code[above].isEmpty && !comments[above].isEmpty {
            found = comments[above] + " " + found
            above -= 1
        }
        return found
    }

    private static func split(_ text: String) -> (code: Lines, comments: Lines, literals: Lines) {
        let bytes = Array(text.utf8)
        var (code, comments, literals) = ([UInt8](), [UInt8](), [UInt8]())
        // The literals around the current byte; the depth counts the parentheses open in an interpolation.
        var open: [(end: [UInt8], escape: [UInt8], depth: Int)] = []
        var (index, isComment, isBlock) = (0, false, false)
        func starts(_ part: some Collection<UInt8>) -> Bool { bytes[index...].starts(with: part) }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\n") {
                isComment = isBlock
                if let last = open.last, last.depth == 0, !last.end.starts(with: "\"\"\"".utf8) { open.removeLast() }
                code.append(byte)
                comments.append(byte)
                literals.append(byte)
            } else if isComment {
                comments.append(byte)
                if isBlock, byte == UInt8(ascii: "*"), starts("/".utf8) { (isComment, isBlock) = (false, false) }
            } else if let literal = open.last, literal.depth == 0 {
                index -= 1
                if starts(literal.end) {
                    open.removeLast()
                    index += literal.end.count
                    code.append(UInt8(ascii: "\""))
                } else if starts(literal.escape) {
                    index += literal.escape.count + 1
                    if bytes[index - 1] == UInt8(ascii: "(") { open[open.count - 1].depth = 1 }
                } else {
                    literals.append(byte)
                    index += 1
                }
            } else if byte == UInt8(ascii: "/"), starts("/".utf8) || starts("*".utf8) {
                (isComment, isBlock) = (true, starts("*".utf8))
            } else if byte == UInt8(ascii: "\"") {
                let hashes = code.reversed().prefix { $0 == UInt8(ascii: "#") }
                let quotes = starts("\"\"".utf8) ? 3 : 1
                index += quotes - 1
                let end = Array(repeating: byte, count: quotes) + hashes
                open.append((end, [UInt8(ascii: "\\")] + hashes, 0))
                code.append(byte)
            } else {
                code.append(byte)
                if !open.isEmpty, byte == UInt8(ascii: "(") { open[open.count - 1].depth += 1 }
                if !open.isEmpty, byte == UInt8(ascii: ")") { open[open.count - 1].depth -= 1 }
            }
        }
        func lines(_ bytes: [UInt8]) -> Lines { Lines(String(decoding: bytes, as: UTF8.self)) }
        return (lines(code), lines(comments), lines(literals))
    }
}

/// A text by lines, which are counted from 1.
struct Lines: Sendable {
    let text: String
    let all: [String]

    init(_ text: String) {
        self.text = text
        all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// A line without the space around it.
    subscript(line: Int) -> String {
        all.indices.contains(line - 1) ? all[line - 1].trimmingCharacters(in: .whitespaces) : ""
    }

    /// The matches of a pattern, in which `^` and `$` are the ends of lines: the line and the first group, or the whole.
    func matches(_ pattern: String, caseInsensitive: Bool = false) -> [(line: Int, text: String)] {
        let expression = Self.expression(pattern, caseInsensitive)
        let source = text as NSString
        var (line, start) = (1, 0)
        return expression.matches(in: text, range: NSRange(location: 0, length: source.length)).map { match in
            let group = match.range(at: min(1, match.numberOfRanges - 1))
            let between = source.substring(with: NSRange(location: start, length: group.location - start))
            line += between.utf8.count { $0 == UInt8(ascii: "\n") }
            start = group.location
            return (line, source.substring(with: group))
        }
    }

    /// Each expression is compiled once, and asked of every file.
    private static func expression(_ pattern: String, _ isCaseInsensitive: Bool) -> NSRegularExpression {
        compiled.withLock { compiled in
            let key = "\(isCaseInsensitive) \(pattern)"
            if let known = compiled[key] { return known }
            let options: NSRegularExpression.Options =
                isCaseInsensitive ? [.anchorsMatchLines, .caseInsensitive] : .anchorsMatchLines
            // Safe: every pattern is a constant that a test of its rule compiles.
            let expression = try! NSRegularExpression(pattern: pattern, options: options)
            compiled[key] = expression
            return expression
        }
    }

    private static let compiled = Mutex<[String: NSRegularExpression]>([:])
}
