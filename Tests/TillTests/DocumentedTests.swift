import CommandOptions
import Foundation
import StoreService
import TestProcessor
import Testing

@testable import till

@Suite("What the pages for operators list") struct DocumentedTests {
    /// The cells of the rows of tables in Operating.md.
    private static func rows() throws -> [[String]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = folder.appendingPathComponent("../../Documentation/Operating.md").standardized
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }.map {
            line in
            let cells = line.replacing("\\|", with: "/").split(separator: "|", omittingEmptySubsequences: false)
            return cells.dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("are the tokens of the test processor, in help too") func tokensTestProcessor() throws {
        let documented = try Self.rows().filter { $0[0].hasPrefix("`test_") }
        #expect(documented == TestPaymentMethod.all.map { ["`\($0.token)`", $0.title] })
        for word in ["testers", "customers"] {
            let help = try #require(TillProgram.program.help(for: [word, "pay-with"]))
            for method in TestPaymentMethod.all {
                #expect(help.split(separator: "\n").contains { $0.split(separator: " ").first == "\(method.token)" })
                #expect(help.contains("  \(method.title)\n"))
            }
        }
    }

    @Test("are the settings of a store, with their variables") func settingsStoreWith() throws {
        let rows = try Self.rows()
        let serve = try #require(TillProgram.program.root.subcommands.first { $0.name == "serve" })
        for option in serve.options {
            let row = rows.first { $0[0].contains("`\(option.longForm) ") || $0[0].contains("`\(option.longForm)`") }
            let variable = try #require(option.environment)
            #expect(row?[1].contains("`\(variable)`") == true, "\(option.longForm)")
            guard let standard = option.defaultText, let row else { continue }
            #expect(row[2] == "`\(standard)`", "\(option.longForm)")
        }
    }
}
