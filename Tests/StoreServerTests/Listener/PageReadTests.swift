import Foundation
import StoreDatabase
import StoreModel
import StoreService
import Synchronization
import TestSupport
import Testing

@testable import StoreServer

@Suite("A page is read with as many statements as a line of it", .bounded)
struct PageReadTests {
    private static let credits = "\(ListenerBench.bundle).credits5"

    @Test("Whatever its length", arguments: ["/transactions", "/transactions?only=unfinished", "/events"])
    func pages(path: String) async throws {
        let made = Mutex<CountingDatabase?>(nil)
        let bench = try await ListenerBench { database in
            let counting = CountingDatabase(database)
            made.withLock { $0 = counting }
            return counting
        }
        let database = try #require(made.withLock { $0 })
        let device = try await bench.device()
        var counts: [Int] = []
        for bought in [1, 4, 20] {
            for _ in 0..<bought { #expect(try await device.buy(Self.credits).status == 200) }
            let before = database.statements.value
            let answer = try await device.ask("GET", path)
            counts.append(database.statements.value - before)
            let listed = answer.json[path == "/events" ? "events" : "signedTransactions"] as? [Any]
            #expect((listed?.count ?? 0) >= bought)
        }
        #expect(counts == [counts[0], counts[0], counts[0]], "\(counts)")
        #expect(counts[0] <= 6)
    }

    @Test("An event has its transaction as it stands now, and its key on its own device only")
    func content() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        var other = try BenchDevice(bench)
        try await other.register()
        _ = try await other.ask(
            "POST", "/sign-in", ["email": "ada@example.com", "password": ListenerBench.password])
        let key = UUID().uuidString
        let bought = try await device.buy(Self.credits, key: key)
        let number = try #require(
            (try await bench.control("GET", "/transactions/last").json["transaction"] as? [String: Any])?[
                "transactionId"]
                as? String)
        func last(_ device: BenchDevice) async throws -> [String: Any] {
            let events = try await device.ask("GET", "/events").json["events"] as? [[String: Any]]
            return try #require(events?.last { $0["kind"] as? String == "transaction" })
        }
        let own = try await last(device)
        #expect((own["purchaseKey"] as? String)?.uppercased() == key && own["isOwn"] as? Bool == true)
        #expect(own["isFinished"] as? Bool == false && bought.json["signedTransaction"] != nil)
        let others = try await last(other)
        #expect(others["purchaseKey"] == nil && others["isOwn"] as? Bool == false)
        // As long as this device has it, the other one does not.
        #expect(others["signedTransaction"] == nil && others["withdrawnTransactionId"] as? String == number)
        let listed = try await other.ask("GET", "/transactions").json
        #expect(listed["signedTransactions"] as? [String] == [])
        #expect(try await device.ask("POST", "/transactions/\(number)/finish").status == 204)
        #expect(try await last(device)["isFinished"] as? Bool == true)
        #expect(try await device.ask("GET", "/transactions").json["unfinished"] as? [String] == [])
        #expect(
            try await device.ask("GET", "/transactions?only=unfinished").json["signedTransactions"] as? [String] == [])
    }
}
