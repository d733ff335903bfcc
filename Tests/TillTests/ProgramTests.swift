import CommandOptions
import Foundation
import TestSupport
import Testing

@testable import till

@Suite("till, the program (X9)", .bounded) struct ProgramTests {
    @Test("declares its commands without contradictions") func declaresCommandsWithout() {
        #expect(TillProgram.program.declarationProblems == [])
    }

    /// The words that lead to each command.
    private static let commands: [[String]] = {
        func below(_ command: Command<TillProgram.Action>, _ words: [String]) -> [[String]] {
            [words] + command.subcommands.flatMap { below($0, words + [$0.name]) }
        }
        return below(TillProgram.program.root, [])
    }()

    @Test("has help for every command, with an example") func hasHelpEvery() throws {
        for words in Self.commands {
            let help = try #require(TillProgram.program.help(for: words))
            #expect(help.contains("Usage: \((["till"] + words).joined(separator: " "))"))
            #expect(help.contains("Examples:"), "\(words)")
            let asked = try TillProcess(words + ["--help"]).finish()
            #expect(asked.status == 0)
            #expect(asked.output.hasPrefix(help.prefix(40)))
        }
        #expect(Self.commands.contains(["serve"]) && Self.commands.contains(["database", "restore"]))
    }

    @Test("every command that does something says what its exit codes mean") func everyCommandDoes() throws {
        for words in Self.commands where words.count > 1 {
            // A command of commands does nothing itself.
            guard try Self.path(words).last?.subcommands.isEmpty ?? true else { continue }
            #expect(try #require(TillProgram.program.help(for: words)).contains("Exit codes:"), "\(words)")
        }
    }

    /// The command at the end of these words, and what it inherits the options of.
    private static func path(_ words: [String]) throws -> [Command<TillProgram.Action>] {
        try words.reduce([TillProgram.program.root]) { path, word in
            path + [try #require(path.last?.subcommands.first { $0.name == word })]
        }
    }

    @Test("every command on a store says how it ends without one, and where one does not answer") func everyCommandOn()
        throws
    {
        let groups = [
            "apps", "products", "provision", "testers", "customers", "devices", "buy", "approve", "purchases",
            "transactions", "ledger", "control-token",
        ]
        for words in Self.commands where groups.contains(words.first ?? "") {
            let path = try Self.path(words)
            guard let command = path.last, command.action != nil else { continue }
            var codes: Set<ExitCode> = [.inputMissing, .unavailable]
            if path.flatMap(\.options).contains(where: { $0.name == "passphrase-file" }) { codes.insert(.noPermission) }
            #expect(codes.subtracting(command.exitCodes) == [], "\(words)")
        }
        for words in [["approve"], ["buy"], ["testers", "add"]] {
            #expect(try Self.path(words).last?.exitCodes.contains(.badData) == true, "\(words)")
        }
    }

    @Test("every example calls the command that it explains") func everyExampleCalls() throws {
        for words in Self.commands {
            guard let command = try Self.path(words).last else { continue }
            let line = (["till"] + words).joined(separator: " ")
            for example in command.examples where !example.line.hasPrefix("curl ") {
                #expect(example.line.contains(line), "\(words)")
            }
        }
    }

    @Test("every command reads its settings without a store or a settings file") func everyCommandReads() throws {
        // A command that reads what it does not declare stops here.
        for words in Self.commands where words.first == "completion" && words.count == 2 {
            #expect(try TillProcess(words).finish().status == 0, "\(words)")
        }
    }

    @Test("ends with status 64 and a hint after a slip") func endsWithStatus() async throws {
        let run = try await Transcript().till("keys", "shwo")
        #expect(run.status == 64)
        #expect(run.errors.contains("Did you mean till keys show?"))
    }

    @Test("tells its version") func test9() throws {
        let run = try TillProcess(["--version"]).finish()
        #expect(run.status == 0)
        #expect(run.output == "till \(TillProgram.version)\n")
    }

    @Test("as a process makes keys and hands out roots") func processMakesKeys() throws {
        let transcript = try Transcript()
        #expect(try TillProcess(["keys", "init", "--data", transcript.data]).finish().status == 0)
        let root = try TillProcess(["keys", "root", "--environment", "production", "--data", transcript.data]).finish()
        #expect(root.status == 0)
        #expect(root.output.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(try TillProcess(["keys", "show", "--data", transcript.data + "/none"]).finish().status == 66)
    }
}
