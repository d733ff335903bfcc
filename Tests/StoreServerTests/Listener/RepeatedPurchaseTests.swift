import Foundation
import TestSupport
import Testing

@testable import StoreServer

@Suite("A purchase that is asked for again", .bounded)
struct RepeatedPurchaseTests {
    @Test("It gets a fresh token while it waits for a yes; the last four confirm it")
    func freshToken() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let (key, order) = (UUID().uuidString, ["productId": "\(ListenerBench.bundle).credits5"])
        func open() async throws -> (status: Int, code: String?, token: String?) {
            let answer = try await device.ask("POST", "/purchases", order, key: key)
            let confirmation = answer.json["confirmation"] as? [String: Any]
            return (answer.status, confirmation?["code"] as? String, confirmation?["token"] as? String)
        }
        func confirm(_ token: String?) async throws -> ListenerBench.Answer {
            try await device.ask("POST", "/purchases/\(key)/confirmation", ["token": #require(token)])
        }
        let first = try await open()
        let second = try await open()
        #expect(first.status == 201)
        #expect(second.status == 200)
        #expect(second.code == first.code)
        #expect(second.token != nil)
        #expect(second.token != first.token)
        for _ in 1...3 { #expect(try await open().token != nil) }
        let refused = try await confirm(first.token)
        #expect(refused.status == 401, "\(refused.text)")
        #expect(refused.text.contains("credentials_wrong"))
        let bought = try await confirm(second.token)
        #expect(bought.json["state"] as? String == "purchased", "\(bought.text)")
        #expect(try await open().token == nil)
        // A yes that is repeated changes nothing.
        #expect(try await confirm(second.token).status == 200)
    }
}
