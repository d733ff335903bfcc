import Foundation
import TestSupport
import Testing

@testable import StoreServer

@Suite("A purchase whose money the processor never lets go of is ended by the operator", .bounded)
struct VoidSettlementTests {
    @Test("By number, with a reason, once")
    func settled() async throws {
        let bench = try await ListenerBench(processor: ApprovingProcessor(capturesNothing: true, refusesVoids: true))
        let device = try await bench.device()
        let bought = try await device.buy("\(ListenerBench.bundle).credits5")
        #expect(bought.json["state"] as? String == "processing")
        let number = try #require(bought.json["purchaseId"] as? String)
        let path = "/purchases/\(number)/void-settlement"
        #expect(try await bench.control("POST", path, [:]).status == 400)
        #expect(try await bench.control("POST", path, ["because": ""]).status == 400)
        #expect(try await bench.control("GET", "/purchases/\(number)").json["state"] as? String == "voiding")
        let settled = try await bench.control("POST", path, ["because": "the bank says that it lapsed"])
        #expect(settled.status == 200 && settled.json["state"] as? String == "failed")
        let history = settled.json["history"] as? [[String: Any]]
        #expect(history?.contains { $0["detail"] as? String == "the bank says that it lapsed" } == true)
        let again = try await bench.control("POST", path, ["because": "the bank says that it lapsed"])
        #expect(again.status == 409 && again.code == "too_late")
        #expect(try await bench.control("POST", "/ledger/check").json["isInOrder"] as? Bool == true)
        #expect(try await bench.control("POST", "/purchases/999/void-settlement", ["because": "x"]).status == 404)
    }
}
