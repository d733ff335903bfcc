import StoreModel
import StoreRules
import Testing

@testable import TestProcessor

@Suite("The rules of the test processor (X10)") struct TestProcessorTests {
    private var desk = TestProcessorTranscript()

    @Test("A payment is reserved, taken, and given back in parts, never more than was taken")
    mutating func wholeLife() throws {
        #expect(desk.lookup("a") == "nothing")
        #expect(desk.authorise("a") == "approved authorise-1")
        #expect(desk.capture("c", "authorise-1", 501) == "refused amount_too_large")
        #expect(desk.capture("c", "authorise-1", 400) == "captured capture-2")
        #expect(desk.refund("r1", "capture-2", 401) == "refused amount_too_large")
        #expect(desk.refund("r1", "capture-2", 150) == "refunded refund-3")
        #expect(desk.refund("r2", "capture-2", 251) == "refused amount_too_large")
        #expect(desk.refund("r2", "capture-2", 250) == "refunded refund-4")
        #expect(desk.refund("r3", "capture-2", 1) == "refused amount_too_large")
        #expect(desk.processor.totals.sums == [.usd: .init(captured: 400, refunded: 400)])
        #expect(desk.lookup("c") == "captured capture-2")
        #expect(desk.lookup("r1") == "refunded refund-3")
    }

    @Test("One key has one effect: a repeat gets the first answer, whatever happened since")
    mutating func repeats() {
        #expect(desk.authorise("a") == "approved authorise-1")
        #expect(desk.authorise("a") == "approved authorise-1 again")
        #expect(desk.capture("c", "authorise-1") == "captured capture-2")
        #expect(desk.capture("c", "authorise-1") == "captured capture-2 again")
        #expect(desk.authorise("a") == "approved authorise-1 again")
        #expect(desk.refund("r", "capture-2") == "refunded refund-3")
        #expect(desk.refund("r", "capture-2") == "refunded refund-3 again")
        #expect(desk.authorise("b") == "approved authorise-4")
        #expect(desk.void("v", "authorise-4") == "voided")
        #expect(desk.void("v", "authorise-4") == "voided again")
        #expect(desk.processor.count == 5)
    }

    @Test("Any other parameter under a key is refused, and so is another kind of call")
    mutating func reuse() {
        #expect(desk.authorise("a") == "approved authorise-1")
        #expect(desk.authorise("a", 501) == "refused key_reused")
        #expect(desk.authorise("a", 500, .eur) == "refused key_reused")
        #expect(desk.authorise("a", 500, .usd, "test_late") == "refused key_reused")
        #expect(desk.authorise("a", description: "Other") == "refused key_reused")
        #expect(desk.capture("a", "authorise-1") == "refused key_reused")
        #expect(desk.authorise("b") == "approved authorise-2")
        #expect(desk.capture("c", "authorise-1") == "captured capture-3")
        #expect(desk.capture("c", "authorise-2") == "refused key_reused")
        #expect(desk.capture("c", "authorise-1", 499) == "refused key_reused")
        #expect(desk.refund("r", "capture-3", 10) == "refunded refund-4")
        #expect(desk.refund("r", "capture-3", 11) == "refused key_reused")
        #expect(desk.void("v", "authorise-2") == "voided")
        #expect(desk.void("v", "authorise-1") == "refused key_reused")
        #expect(desk.processor.count == 5)
    }

    @Test("What is not reserved can neither be taken nor let go of")
    mutating func order() {
        #expect(desk.capture("c", "authorise-1") == "refused reference_unknown")
        #expect(desk.authorise("a") == "approved authorise-1")
        #expect(desk.refund("r", "authorise-1") == "refused reference_unknown")
        #expect(desk.refund("r", "capture-1") == "refused reference_unknown")
        #expect(desk.capture("c", "authorise-01") == "refused reference_unknown")
        #expect(desk.capture("c", "authorise-+1") == "refused reference_unknown")
        #expect(desk.void("v", "authorise-1") == "voided")
        #expect(desk.capture("c", "authorise-1") == "refused state_other")
        #expect(desk.void("w", "authorise-1") == "refused state_other")
        #expect(desk.authorise("b") == "approved authorise-3")
        #expect(desk.capture("c", "authorise-3", 100) == "captured capture-4")
        #expect(desk.capture("d", "authorise-3", 100) == "refused state_other")
        #expect(desk.void("w", "authorise-3") == "refused state_other")
    }

    @Test("Amounts are more than nothing, and of the currency of what they are about")
    mutating func amounts() {
        #expect(desk.authorise("a", 0) == "refused amount_invalid")
        #expect(desk.authorise("a", -5) == "refused amount_invalid")
        #expect(desk.authorise("a") == "approved authorise-1")
        #expect(desk.capture("c", "authorise-1", 0) == "refused amount_invalid")
        #expect(desk.capture("c", "authorise-1", 500, .eur) == "refused currency_other")
        #expect(desk.capture("c", "authorise-1") == "captured capture-2")
        #expect(desk.refund("r", "capture-2", 500, .jpy) == "refused currency_other")
        #expect(desk.refund("r", "capture-2", -1) == "refused amount_invalid")
        #expect(desk.authorise("j", .max, .jpy) == "approved authorise-3")
        #expect(desk.capture("k", "authorise-3", .max, .jpy) == "captured capture-4")
        #expect(desk.authorise("l", .max, .jpy) == "approved authorise-5")
        #expect(desk.capture("m", "authorise-5", .max, .jpy) == "captured capture-6")
        #expect(desk.processor.totals.sums[.jpy]?.captured == Int128(Int64.max) * 2)
    }

    @Test("Every declining method declines for its own reason, for ever")
    mutating func declines() {
        let expected = [
            "test_declined": "card_declined", "test_insufficient_funds": "insufficient_funds",
            "test_expired_card": "expired_card", "test_incorrect_security_code": "incorrect_security_code",
            "test_lost_card": "lost_card", "test_stolen_card": "stolen_card",
            "test_suspected_fraud": "suspected_fraud", "test_currency_not_supported": "currency_not_supported",
            "nobody_knows_it": "method_unknown",
        ]
        for (method, reason) in expected {
            #expect(desk.authorise(method, 500, .usd, method) == "declined \(reason)")
            #expect(desk.authorise(method, 500, .usd, method) == "declined \(reason) again")
            #expect(desk.lookup(method) == "declined \(reason)")
        }
        #expect(desk.capture("c", "authorise-1") == "refused state_other")
        #expect(desk.void("v", "authorise-1") == "refused state_other")
        #expect(desk.processor.totals.sums.isEmpty)
    }

    @Test("Taking or giving back fails with the methods made for that, and leaves what there was")
    mutating func failures() {
        #expect(desk.authorise("a", 500, .usd, "test_capture_fails") == "approved authorise-1")
        #expect(desk.capture("c", "authorise-1") == "failed capture_failed")
        #expect(desk.capture("c", "authorise-1") == "failed capture_failed again")
        #expect(desk.lookup("c") == "failed capture_failed")
        #expect(desk.void("v", "authorise-1") == "voided")
        #expect(desk.authorise("b", 500, .usd, "test_refund_fails") == "approved authorise-4")
        #expect(desk.capture("d", "authorise-4") == "captured capture-5")
        #expect(desk.refund("r", "capture-5") == "failed refund_failed")
        #expect(desk.lookup("r") == "failed refund_failed")
        #expect(desk.processor.totals.sums == [.usd: .init(captured: 500, refunded: 0)])
    }

    @Test("An action is done or failed once; only then the payment goes on")
    mutating func actions() throws {
        let pending = "action_needed authorise-1 https://act/authorise-1"
        #expect(desk.authorise("a", 500, .usd, "test_action_needed") == pending)
        #expect(desk.lookup("a") == pending)
        #expect(desk.capture("c", "authorise-1") == "refused state_other")
        #expect(desk.act("authorise-1", completed: true) == "done")
        #expect(desk.act("authorise-1", completed: true) == "as before")
        #expect(desk.act("authorise-1", completed: false) == "refused state_other")
        #expect(desk.lookup("a") == "approved authorise-1")
        #expect(desk.authorise("a", 500, .usd, "test_action_needed") == "\(pending) again")
        #expect(desk.capture("c", "authorise-1") == "captured capture-3")
        #expect(desk.lookup("a") == "approved authorise-1")
        #expect(desk.authorise("b", 500, .usd, "test_action_needed").hasPrefix("action_needed authorise-4"))
        #expect(desk.act("authorise-4", completed: false) == "done")
        #expect(desk.lookup("b") == "declined action_failed")
        #expect(desk.capture("d", "authorise-4") == "refused state_other")
        #expect(desk.act("authorise-9", completed: true) == "refused reference_unknown")
        #expect(desk.act("capture-3", completed: true) == "refused reference_unknown")
        #expect(desk.authorise("v", 500, .usd, "test_action_needed").hasPrefix("action_needed authorise-6"))
        #expect(desk.void("w", "authorise-6") == "voided")
        #expect(desk.act("authorise-6", completed: true) == "refused state_other")
    }

    @Test("News of actions are told until they were taken, also by the next process")
    mutating func news() throws {
        _ = desk.authorise("a", 500, .usd, "test_action_needed")
        #expect(desk.processor.pendingNews == [])
        _ = desk.act("authorise-1", completed: true)
        #expect(try desk.restarted.pendingNews == [2])
        let news = desk.processor.news(of: 2, actionURL: "")
        #expect(
            news
                == ProcessorNews(id: "news-2", key: "a", outcome: .authorise(.approved(reference: "authorise-1"))))
        _ = try desk.processor.delivered(2)
        #expect(try desk.restarted.pendingNews == [])
    }

    @Test("Keys, tokens and descriptions have limits")
    mutating func limits() {
        #expect(desk.authorise("") == "refused key_invalid")
        #expect(desk.authorise(String(repeating: "k", count: 201)) == "refused key_invalid")
        #expect(desk.authorise(String(repeating: "k", count: 200)) == "approved authorise-1")
        let long = String(repeating: "ü", count: 251)
        #expect(desk.authorise("a", 500, .usd, long) == "refused key_invalid")
        #expect(desk.authorise("a", description: long) == "refused key_invalid")
    }
}
