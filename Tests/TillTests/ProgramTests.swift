import CommandOptions
import Foundation
import Testing

@testable import till

@Suite("till, the program (X9)") struct ProgramTests {
    @Test func `declares its commands without contradictions`() {
        #expect(TillProgram.program.declarationProblems == [])
    }

    @Test func `has help for every command, with an example`() throws {
        for words in [
            [], ["keys"], ["keys", "init"], ["keys", "show"], ["keys", "rotate"], ["keys", "revoke"], ["keys", "root"],
        ] {
            let help = try #require(TillProgram.program.help(for: words))
            #expect(help.contains("Usage: \((["till"] + words).joined(separator: " "))"))
            #expect(help.contains("Examples:"))
            if !words.isEmpty { #expect(help.contains("--data DIR")) }
            if words.count > 1 { #expect(help.contains("Exit codes:")) }
            let asked = try TillProcess(words + ["--help"]).finish()
            #expect(asked.status == 0)
            #expect(asked.output.hasPrefix(help.prefix(40)))
        }
    }

    @Test func `ends with status 64 and a hint after a slip`() async throws {
        let run = try await Transcript().till("keys", "shwo")
        #expect(run.status == 64)
        #expect(run.errors.contains("Did you mean till keys show?"))
    }

    @Test func `tells its version`() throws {
        let run = try TillProcess(["--version"]).finish()
        #expect(run.status == 0)
        #expect(run.output == "till \(TillProgram.version)\n")
    }

    @Test func `as a process makes keys and hands out roots`() throws {
        let transcript = try Transcript()
        #expect(try TillProcess(["keys", "init", "--data", transcript.data]).finish().status == 0)
        let root = try TillProcess(["keys", "root", "--environment", "production", "--data", transcript.data]).finish()
        #expect(root.status == 0)
        #expect(root.output.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(try TillProcess(["keys", "show", "--data", transcript.data + "/none"]).finish().status == 66)
    }
}
