import CommandOptions
import Foundation
import StoreService
import TestProcessor
import Testing

@testable import till

@Suite("What the pages for operators list") struct DocumentedTests {
    /// The cells of the rows of tables in a page.
    private static func rows(of name: String = "Operating") throws -> [[String]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let page = folder.appendingPathComponent("../../Documentation/\(name).md").standardized
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
        let serve = try #require(TillProgram.program.root.subcommands.first { $0.name == "serve" })
        #expect(serve.options.allSatisfy { $0.environment != nil })
        try Self.look(for: serve.options, in: Self.rows())
    }

    @Test("are the settings of a developer's own server, with their variables") func settingsOwnServer() throws {
        let options = BackendServe.command.options
        #expect(options.count > 20)
        try Self.look(for: options, in: Self.rows(of: "YourOwnServer"))
    }

    private static func look(for options: [any OptionDeclaration], in rows: [[String]]) throws {
        for option in options {
            let row = rows.first { $0[0].contains("`\(option.longForm) ") || $0[0].contains("`\(option.longForm)`") }
            #expect(row != nil, "\(option.longForm)")
            guard let row, let variable = option.environment else { continue }
            #expect(row[1].contains("`\(variable)`"), "\(option.longForm)")
            guard let standard = option.defaultText, !row[2].contains("as of") else { continue }
            #expect(row[2] == "`\(standard)`", "\(option.longForm)")
        }
    }
}
