import Foundation
import Testing

/// Holds the pages that explain the repository against the repository.
@Suite("The pages about the repository") struct PagesAboutTheHouseTests {
    private func page(_ path: String) throws -> SourceFile { try #require(Repository.this.file(path)) }

    @Test("Those that one reads first are short") func areShort() throws {
        #expect(try page("README.md").lines.all.count <= 121)
        #expect(try page("Documentation/Architecture.md").text.utf8.count <= 12_000)
    }

    @Test("The tree that the architecture draws is the tree, and that of the manifest") func tree() throws {
        let drawn = try drawnFolders()
        let there = Repository.this.files.filter { $0.folders.first == "Sources" }.map { $0.folders.prefix(3) }
        #expect(drawn.filter { $0.hasPrefix("Sources/") } == Set(there.filter { $0.count == 3 }.map(path)))
        let others = Repository.this.files.filter { $0.folders.first != "Sources" && !$0.path.hasPrefix(".") }
        #expect(drawn.filter { !$0.contains("/") } == Set(others.compactMap(\.folders.first)).union(["Sources"]))

        let manifest = try page("Package.swift").lines
        let named = manifest.text.replacing(/library\(\s*"(\w+)", in: "(\w+)"/) { "path: \"Sources/\($0.2)/\($0.1)\"" }
        let declared = Lines(named).matches(#"path: "(Sources/[\w/-]+)""#).map(\.text)
        #expect(drawn.filter { $0.split(separator: "/").count == 3 } == Set(declared))
    }

    private func path(_ folders: ArraySlice<String>) -> String { folders.joined(separator: "/") }

    /// The folders of the block that begins with `Sources/`: those at the top, and those two below it.
    private func drawnFolders() throws -> Set<String> {
        let lines = try page("Documentation/Architecture.md").lines.all
        let begin = try #require(lines.firstIndex(of: "Sources/"))
        var path: [Substring] = []
        var found: Set<String> = []
        for line in lines[begin...].prefix(while: { !$0.hasPrefix("```") }) {
            let depth = line.prefix { $0 == " " }.count / 2
            guard depth <= 2, let name = line.drop(while: { $0 == " " }).split(separator: " ").first else { continue }
            #expect(name.hasSuffix("/"), "\(line)")
            path = path.prefix(depth) + [name.dropLast()]
            if depth != 1 { found.insert(path.joined(separator: "/")) }
        }
        return found
    }

    @Test("What the architecture and the decisions name in code is in the sources") func names() throws {
        let pages = Repository.this.files.filter {
            $0.path == "Documentation/Architecture.md" || $0.path.hasPrefix("Documentation/Decisions/")
        }
        var wanted: [String: String] = [:]
        for page in pages {
            for (line, span) in page.lines.matches(#"`(\.?[A-Za-z_]\w*(?:\.\w+)*)(?:\([\w:]*\))?`"#) {
                for name in span.split(separator: ".") where name.contains(where: \.isUppercase) {
                    wanted[String(name)] = "\(page.path):\(line)"
                }
            }
        }
        #expect(pages.count > 8 && wanted.count > 50)
        let kinds = [".swift", ".h", ".c", ".py", ".sh", "Makefile"]
        for file in Repository.this.files where kinds.contains(where: file.path.hasSuffix) {
            for name in file.folders + [String(file.name.prefix { $0 != "." })] { wanted[name] = nil }
            // These tests have names that nothing else has.
            if file.target != "RepositoryTests" { for name in words(of: file.text) { wanted[name] = nil } }
        }
        for (name, place) in wanted.sorted(by: { $0.value < $1.value }) {
            Issue.record("\(place): there is no \(name)")
        }
    }

    /// The words of a text that have a capital letter.
    private func words(of text: String) -> [String] {
        var (words, word, isName) = ([String](), [UInt8](), false)
        for byte in text.utf8 {
            let isCapital = (0x41...0x5a).contains(byte)
            if isCapital || (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5f {
                word.append(byte)
                isName = isName || isCapital
            } else if !word.isEmpty {
                if isName { words.append(String(decoding: word, as: UTF8.self)) }
                (word, isName) = ([], false)
            }
        }
        return words
    }
}
