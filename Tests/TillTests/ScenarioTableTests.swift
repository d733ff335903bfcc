import CommandOptions
import Foundation
import StoreHTTP
import StoreModel
import StoreScenario
import Testing

@testable import till

@Suite("Commands as lines of scenarios (X8)")
struct ScenarioTableTests {
    /// Answers nothing: what is refused before it is run asks nothing.
    private struct Nowhere: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw CommandFailure(.unavailable, "there is no store")
        }
    }

    private let table = ScenarioTable(AdminConnection(isRunning: true, transport: Nowhere(), end: {}))

    @Test(
        "What reaches production, another store or no store at all is refused before anything is run",
        arguments: [
            ("till customers list", "customers"), ("till serve", "serve"), ("till database check", "database"),
            ("till transactions list --environment production", "--environment"),
            ("till transactions list --data ./other", "--data"),
            ("till notifications list com.example.a --store http://a", "--store"),
            ("till buyy com.example.a", "buyy"), ("till buy --quantity 0 com.example.a", "--quantity"),
        ])
    func refused(_ line: String, _ word: String) {
        #expect(table.complaint(about: line.split(separator: " ").map(String.init))?.word == word)
    }

    @Test("A value that cannot be is named as it was typed")
    func value() {
        let complaint = table.complaint(about: ["till", "clock", "advance", "soon"])
        #expect(complaint?.word == "soon")
        #expect(complaint?.message.contains("STEP|TIME") == true)
    }

    @Test("Every command that scenarios have exists, and answers with JSON where it can")
    func allowed() {
        let names = Set(TillProgram.program.root.subcommands.map(\.name))
        #expect(ScenarioTable.allowed.subtracting(names).isEmpty)
        #expect(table.complaint(about: ["till", "testers", "list"]) == nil)
        #expect(table.complaint(about: ["till", "testers", "list", "--json"]) == nil)
    }

    @Test("All scenarios of the repository are understood")
    func scenarios() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Scenarios")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.standardizedFileURL, includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "till" }
        #expect(files.count >= 25)
        for file in files {
            let scenario = try Scenario(Array(Data(contentsOf: file)), named: file.lastPathComponent)
            try ScenarioRun(scenario, table).check()
        }
    }
}
