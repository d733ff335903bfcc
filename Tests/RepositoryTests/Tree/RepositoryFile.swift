import Foundation

/// One file of the repository.
struct RepositoryFile: Sendable {
    /// The path from the root, with slashes.
    let path: String
    /// The text; empty for a file that is none.
    let text: String
    let size: Int
    /// The parts of Swift and C; nil for other files.
    let source: ScannedSource?

    init(path: String, text: String) {
        self.init(path: path, data: Data(text.utf8))
    }

    init(path: String, data: Data) {
        self.path = path
        size = data.count
        text = size < 4 << 20 && !data.contains(0) ? String(data: data, encoding: .utf8) ?? "" : ""
        switch path.split(separator: ".").last {
        case "swift": source = SourceScanner.scan(text)
        case "c", "h": source = SourceScanner.scan(text, language: .c)
        default: source = nil
        }
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    /// By bytes: a carriage return and a newline are one character, which no newline equals.
    var lines: [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }
    var isPython: Bool { path.hasSuffix(".py") }

    /// Bytes that another tool made, kept as they are.
    var isGolden: Bool { folders.contains("Golden") || folders.contains("Fixtures") }

    /// The target that a Swift file belongs to, by its place: the folder of that name below the actor.
    var target: String? {
        switch (folders.first, folders.dropFirst().first) {
        case ("Sources", _): folders.dropFirst(2).first
        case ("Tests", "Conformance"), ("Tests", "Browser"), ("Tests", "Simulation"): folders.dropFirst(2).first
        case ("Tests", let target), ("Benchmarks", let target), ("Samples", let target): target
        default: nil
        }
    }
}
