import CommandOptions
import Foundation
import StoreModel
import StoreRules
import Testing

@testable import till

/// Commands that people are shown, held against the declarations that `till` parses with.
///
/// What pages of the console show is looked at by `Tests/Conformance/test_shown_commands.py`, through
/// `till completion check`, which reads commands in the same way.
@Suite("What is shown as a command of till") struct ShownCommandsTests {
    @Test("is understood in every block of the documentation") func isUnderstoodIn() throws {
        let pages = try ShownFile.all(below: ["."]) { $0.hasSuffix(".md") && $0 != "CHANGELOG.md" }
        #expect(pages.contains { $0.path == "README.md" } && pages.count > 20)
        for page in pages {
            for (line, block) in page.blocks {
                for mistake in TillProgram.program.mistakes(in: ShellScript(block)) {
                    Issue.record("\(page.path):\(line + mistake.line - 1): \(mistake.error)")
                }
            }
        }
    }

    @Test("is understood in every example of its help") func isUnderstoodExample() {
        func look(at command: Command<TillProgram.Action>) {
            for example in command.examples {
                for mistake in TillProgram.program.mistakes(in: ShellScript(example.line)) {
                    Issue.record("\(example.line): \(mistake.error)")
                }
            }
            for one in command.subcommands { look(at: one) }
        }
        look(at: TillProgram.program.root)
    }

    @Test("is understood in everything that mends what keeps a product from being sold") func isUnderstoodRemedy()
        throws
    {
        let obstacles: [ProductObstacle] = [
            .unknown, .notClearedForSale, .notApproved, .awaitsReview, .isInReview, .awaitsVersion, .notInStorefront,
            .periodNotAllowed, .removedFromSale,
            .incomplete, .noText, .noAgreement, .binaryRejected, .binaryWithdrawn, .suspended, .noCapability,
            .staleProfile, .wildcardProfile, .awaitsContent, .accountForbidden, .deviceForbidden,
        ]
        let (bundle, storefront) = try (
            #require(BundleID("com.example.app")), #require(StorefrontRecord.storefront(alpha3: "JPN"))
        )
        let commands = try StoreEnvironment.allCases.flatMap { environment in
            let place = ProductObstacle.Place(
                bundle, "com.example.app.a", storefront, team: try TeamID(parsing: "my-team"), device: DeviceID("1001"),
                in: environment)
            return obstacles.compactMap { $0.remedy(place) }
        }
        #expect(commands.count == 2 * obstacles.count)
        for command in commands {
            // An amount is the one value in capital letters that has a form.
            let line = "till \(command)".replacing("AMOUNT", with: "0.99")
            for mistake in TillProgram.program.mistakes(in: ShellScript(line)) {
                Issue.record("\(line): \(mistake.error)")
            }
        }
    }

    /// What may stand where a message or a page puts something in.
    private static let fillings = ["X", "X X", "1", "sandbox", "testers", "com.example.app", ""]

    /// Words in capital letters that are values.
    private static let values: Set<Substring> = ["DELIVERED"]

    /// A word in capital letters that a command takes for a value; shorter ones are codes of storefronts and currencies.
    private static func unfilled(_ text: String) -> String? {
        guard
            let word = text.split(separator: " ").first(where: {
                $0.wholeMatch(of: /[A-Z]{4,}/) != nil && !values.contains($0)
            }),
            case .run(let invocation) = TillProgram.program.parse(
                ShellScript("till " + text.replacing(ShownFile.gap, with: "X")).commands.first?.words.dropFirst() ?? [])
        else { return nil }
        return invocation.arguments.unfilled == nil ? String(word) : nil
    }

    /// A message that names a command behind a colon gives it to be typed, as a page does in a block: nothing may be missing.
    @Test("is whole wherever a page or a message gives it to be typed") func isWhole() throws {
        let files = try ShownFile.all(below: ["."]) { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
        var count = 0
        for file in files {
            for text in file.given {
                count += 1
                if let word = Self.unfilled(text) { Issue.record("\(file.path): till \(text) runs with \(word)") }
                let errors = Self.fillings.map { filling in
                    TillProgram.program.mistakes(
                        in: ShellScript("till " + text.replacing(ShownFile.gap, with: filling))
                    )
                    .map(\.error)
                    // What people fill in stands in capital letters.
                    .filter { $0.code != .invalidValue || !$0.message.contains(/cannot be "[A-Z]+"/) }
                }
                guard let error = errors.first?.first, errors.allSatisfy({ !$0.isEmpty }) else { continue }
                Issue.record("\(file.path): till \(text): \(error)")
            }
        }
        #expect(count > 80)
    }

    /// Words that go on with a sentence behind the name of the program or of a group of commands, and what stands for a part
    /// that is put in when the program runs.
    private static let prose: Set = ["X", "and", "as", "does", "et", "for", "of", "runs", "und", "writes"]

    /// Prose may leave out what a command needs, and go on behind it; it may not name what is not there.
    @Test("is there wherever a sentence names it: in documentation, messages, texts and scripts") func isThere() throws
    {
        let kinds = [".md", ".swift", ".txt", ".sh", ".js"]
        let files = try ShownFile.all(below: ["."]) { path in
            kinds.contains(where: path.hasSuffix) && !path.hasPrefix("Tests/") && path != "CHANGELOG.md"
        }
        var count = 0
        for file in files {
            for (line, words) in file.mentions {
                count += 1
                guard case .failure(let error) = TillProgram.program.parse(words) else { continue }
                guard [.unknownCommand, .unknownOption].contains(error.code) else { continue }
                if error.code == .unknownCommand, Self.prose.contains(error.subject) { continue }
                Issue.record("\(file.path):\(line): till \(words.joined(separator: " ")): \(error)")
            }
        }
        #expect(count > 400)
    }
}

/// A file that people read commands in.
private struct ShownFile {
    let path: String
    let lines: [String]

    private static let root = URL(filePath: #filePath + "/../../..").standardizedFileURL
    private static let skipped: Set = [".git", ".build", ".venv", ".swiftpm", "till_data"]

    static func all(below folders: [String], _ isWanted: (String) -> Bool) throws -> [ShownFile] {
        let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var files: [ShownFile] = []
        while let url = paths?.nextObject() as? URL {
            if skipped.contains(url.lastPathComponent) { paths?.skipDescendants() }
            let path = String(url.path.dropFirst(root.path.count + 1))
            guard isWanted(path), let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            files.append(
                ShownFile(
                    path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)))
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The scripts of a page in Markdown: blocks for a shell whole, of a dialogue what is typed, with the line that each
    /// begins on.
    var blocks: [(line: Int, text: String)] {
        var blocks: [(Int, String)] = []
        var language: Substring?
        for (index, line) in lines.enumerated() {
            let trimmed = line.drop { $0 == " " }
            if trimmed.hasPrefix("```") {
                language = language == nil ? trimmed.dropFirst(3) : nil
                if language == "sh" || language == "bash" { blocks.append((index + 2, "")) }
            } else if language == "sh" || language == "bash" {
                blocks[blocks.count - 1].1 += line + "\n"
            } else if language == "console", trimmed.hasPrefix("$ ") {
                let typed = lines[index...].prefix { $0.hasSuffix("\\") }.count
                blocks.append(
                    (
                        index + 1,
                        trimmed.dropFirst(2) + "\n" + lines[(index + 1)...].prefix(typed).joined(separator: "\n")
                    ))
            }
        }
        return blocks
    }

    /// What stands for a part that is put in when the program runs.
    static let gap = "□"
    /// Over how many lines a text is broken at most.
    private static let longestText = 4

    private static var interpolation: Regex<Substring> { /\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/ }

    /// The commands that a text gives to be typed: behind a colon to the end of the text or the next sentence, and on pages in
    /// a block of its own.
    var given: [String] {
        let isPage = path.hasPrefix("Sources/Store/StoreWeb/")
        let found = lines.indices.flatMap { index -> [Substring] in
            let line = lines[index]
            guard !line.drop(while: { $0 == " " }).hasPrefix("//"),
                line.contains(": till ") || isPage && line.contains("command")
            else { return [] }
            // A text that is broken over lines is one.
            let window = lines[index...].prefix(Self.longestText).joined(separator: "\n")
            let whole = window.replacing(/"\s*\n\s*\+ "/, with: "").replacing(/\\\n\s*/, with: "")
            let plain = whole.replacing(Self.interpolation, with: Self.gap).prefix { $0 != "\n" }
            return plain.matches(of: /: till ([a-z][^"\n]*)"/).map(\.output.1)
                + (isPage ? plain.matches(of: /command(?:\(|: )"([^"]*)"/).map(\.output.1) : [])
        }
        return found.filter { !$0.hasSuffix("\\") }.map { text in
            let end = [". ", "; ", "), ", ") "].compactMap { text.range(of: $0)?.lowerBound }.min() ?? text.endIndex
            return String(text[..<end].reversed().drop { ".)".contains($0) }.reversed())
        }
    }

    /// The words behind `till` wherever it is followed by a word in small letters, up to the end of the phrase.
    var mentions: [(line: Int, words: [String])] {
        let pattern = /(?:^|[^\w.\/\-])till ([a-z][a-z\-|]+(?: [^\s`'"\\]+)*)/
        return lines.enumerated().flatMap { index, line in
            guard line.contains("till ") else { return [(Int, [String])]() }
            let isComment = path.hasSuffix(".swift") && line.drop { $0 == " " }.hasPrefix("//")
            let isCode = line.contains("`till ")
            guard !isComment || isCode else { return [(Int, [String])]() }
            let plain = line.replacing(Self.interpolation, with: " X")
            return plain.matches(of: isComment ? /`till ([a-z][^`]*)/ : pattern).flatMap { match in
                Self.alternatives(match.output.1).map { (index + 1, $0) }
            }
        }
    }

    /// `show|freeze` stands for two mentions; a phrase ends at its punctuation.
    private static func alternatives(_ phrase: Substring) -> [[String]] {
        var found: [[String]] = [[]]
        for word in phrase.split(separator: " ") {
            let bare = word.trimmingPrefix("[").prefix {
                !"],.;:)!?…、。，；：！？）」".contains($0) || $0 == "." && word.contains(/\.\w/)
            }
            if !bare.isEmpty {
                found = found.flatMap { words in bare.split(separator: "|").map { words + [String($0)] } }
            }
            if bare.count < word.count, !word.hasSuffix("]") { break }
        }
        return found
    }
}
