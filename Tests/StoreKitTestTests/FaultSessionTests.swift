import StoreKit
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Faults of a test session", .bounded)
struct FaultSessionTests {
    @Test("X12: A sale whose answer is lost is made once, and the app has it")
    func lostAnswer() async throws {
        let bench = try Bench()
        try bench.session.add(.requests("/device/v1/purchases", method: "POST", .answerLost).times(1))
        try await bench.run { observer in
            Bench.add("monkeys.credits5")
            try await observer.until("removed")
            #expect(observer.lines == ["purchasing credits5", "purchased credits5", "removed"])
        }
        #expect(bench.session.allTransactions().count == 1)
    }

    @Test("X12: What fails for the app does not for the session, and works again without the fault")
    func products() async throws {
        let bench = try Bench()
        try bench.session.add(.requests("*", .status(400)))
        try await bench.run { _ in
            await #expect(throws: SKError.self) { try await Bench.products(["monkeys.credits5"]) }
            try bench.session.buyProduct(productIdentifier: "monkeys.jungle")
            #expect(bench.session.allTransactions().count == 1)
            try bench.session.clearFaults()
            #expect(try await Bench.products(["monkeys.credits5"]).products.count == 1)
        }
    }

    @Test("What cannot be is refused")
    func refused() throws {
        let session = try Bench().session
        let faults: [SKTestSession.Fault] = [
            .requests("no slash", .lost), .requests("*", .status(99)), .requests("*", .overtaken),
            .notifications("NOTHING", .lost),
            .requests("*", .lost).percent(0, seed: 1), .requests("*", .delayed(by: .seconds(60))),
            .requests("*", .lost).call(1).every(2),
        ]
        for fault in faults {
            #expect { try session.add(fault) } throws: { ($0 as? SKTestError)?.code == .invalidAction }
        }
    }
}
