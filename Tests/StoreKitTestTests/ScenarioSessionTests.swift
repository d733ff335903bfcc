import Foundation
import StoreCatalogue
import StoreDatabase
import StoreKit
import StoreModel
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("X8: Scenario files in test sessions", .bounded)
struct ScenarioSessionTests {
    /// Does something with a scenario file of this text.
    private func withFile<Result>(_ text: String, _ body: (URL) async throws -> Result) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).till")
        try text.write(to: url, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url)
    }

    private func entitlements() async throws -> [String] {
        var found: [String] = []
        for await result in Transaction.currentEntitlements { found.append(try result.payloadValue.productID) }
        return found
    }

    @Test("What a scenario did is seen by both forms of StoreKit when the call returns")
    func effect() async throws {
        let bench = try Bench()
        let file = try #require(Bundle.module.url(forResource: "Monkeys", withExtension: "till"))
        try await bench.run { observer in
            observer.finishes(false)
            try await bench.session.run(scenario: file)
            #expect(try await entitlements() == ["monkeys.club"])
            try await observer.until("purchased club", times: 2)
        }
        let bought = bench.session.allTransactions().map(\.productIdentifier)
        #expect(bought.sorted() == ["monkeys.club", "monkeys.club", "monkeys.jungle"])
    }

    @Test("A file of the repository goes at a session as at a sandbox that runs, and leaves no token that opens")
    func repository() async throws {
        let session = try Bench().session
        let file = URL(filePath: #filePath + "/../../../Scenarios/ask-to-buy-approved.till").standardizedFileURL
        let before = session.currentDate
        try await session.run(scenario: file)
        #expect(session.currentDate == before.addingTimeInterval(20 * 3600))
        let tokens = try await session.settleAsync { scene in
            let catalogue = scene.store.databases.catalogue
            return try await CatalogueStore(catalogue, Numbers(catalogue), now: { Bench.start })
                .editing(by: .owner, request: nil).tokens()
        }
        #expect(tokens.map { $0.revokedAt != nil } == [true])
    }

    @Test("A line that does not hold is thrown with its place, and what was done before stays and is seen")
    func fails() async throws {
        let session = try Bench().session
        try await session.asCurrent {
            try await withFile("till buy monkeys.hat\nexpect .state == \"refunded\"\ntill buy monkeys.jungle\n") {
                url in
                let failure = await #expect(throws: SKTestSession.ScenarioFailure.self) {
                    try await session.run(scenario: url)
                }
                #expect(failure?.line == 2)
                #expect(failure?.column == 8)
                #expect(failure?.word == ".state")
                #expect(
                    failure?.description
                        == "\(url.path):2:8: .state: expected == \"refunded\", found \"purchased\"")
                #expect(failure?.localizedDescription == failure?.description)
            }
            #expect(try await entitlements() == ["monkeys.hat"])
        }
    }

    @Test("A file with a command that does not exist is refused before its first line is run")
    func malformed() async throws {
        let session = try Bench().session
        try await withFile("till buy monkeys.hat\ntill buy --quantity 0 monkeys.hat\n") { url in
            let failure = await #expect(throws: SKTestSession.ScenarioFailure.self) {
                try await session.run(scenario: url)
            }
            #expect(failure?.line == 2)
            #expect(failure?.word == "--quantity")
        }
        #expect(session.allTransactions().isEmpty)
    }

    @Test("What is no file is named")
    func noFile() async throws {
        let session = try Bench().session
        let missing = URL(filePath: "/no/such/file.till")
        let failure = await #expect(throws: SKTestError.self) { try await session.run(scenario: missing) }
        #expect(failure?.code == .fileNotFound)
        let remote = try #require(URL(string: "https://example.com/file.till"))
        #expect(
            await #expect(throws: SKTestError.self) { try await session.run(scenario: remote) }?.code == .invalidURL)
    }

    @Test(
        "The program is the one that is named, else that beside the test, else that of the search path",
        arguments: [
            (["TILL": "/own/till", "TILL_BIN_DIR": "/built", "PATH": "/bin"], "/own/till"),
            (["TILL": "", "TILL_BIN_DIR": "/built", "PATH": "/bin"], "/built/till"),
            (["PATH": "/bin"], "/tests/till"), (["TILL_BIN_DIR": "/elsewhere"], "/tests/till"),
        ])
    func program(environment: [String: String], path: String) throws {
        let there: Set<String> = ["/own/till", "/built/till", "/tests/till", "/bin/till"]
        let beside = URL(filePath: "/tests/App.xctest")
        #expect(try ScenarioProgram.find(environment, beside: beside, isProgram: there.contains).path == path)
        let far = URL(filePath: "/far/App.xctest")
        let path = try ScenarioProgram.find(["PATH": ":.:/usr/bin:/bin"], beside: far, isProgram: there.contains).path
        #expect(path == "/bin/till")
    }

    @Test("A program that is nowhere is an error that says what to do")
    func noProgram() throws {
        let nowhere = #expect(throws: SKTestError.self) {
            try ScenarioProgram.find(["PATH": "/bin"], beside: nil, isProgram: { _ in false })
        }
        #expect(nowhere?.localizedDescription.contains("swift build --product till") == true)
        let named = #expect(throws: SKTestError.self) {
            try ScenarioProgram.find(
                ["TILL": "/no/till", "PATH": "/bin"], beside: nil, isProgram: { $0 == "/bin/till" })
        }
        #expect(named?.localizedDescription.contains("/no/till") == true)
    }

    @Test("The program is told of no other store, and of no proxy")
    func environment() {
        let all = ["PATH": "/bin", "TILL_STORE": "a", "http_proxy": "b", "HTTPS_PROXY": "c", "LD_LIBRARY_PATH": "d"]
        #expect(ScenarioProgram.environment(all).keys.sorted() == ["LD_LIBRARY_PATH", "PATH"])
    }
}
