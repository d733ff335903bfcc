import StoreModel
import StoreRules
import TestSupport
import Testing

@testable import TestProcessor

@Suite("What is made to go wrong at the test processor") struct TestProcessorScriptTests {
    private var desk = TestProcessorTranscript()

    @Test("Methods that are late or lost have their effect or not, as their names say")
    mutating func methods() {
        #expect(desk.authorise("a", 500, .usd, "test_late") == "approved authorise-1 but late")
        #expect(desk.authorise("a", 500, .usd, "test_late") == "approved authorise-1 again")
        #expect(desk.authorise("b", 500, .usd, "test_lost") == "approved authorise-2 but lost")
        #expect(desk.lookup("b") == "approved authorise-2")
        #expect(desk.authorise("c", 500, .usd, "test_late_nothing") == "but late_without_effect")
        #expect(desk.authorise("c", 500, .usd, "test_late_nothing") == "but late_without_effect")
        #expect(desk.authorise("d", 500, .usd, "test_lost_nothing") == "but lost_without_effect")
        #expect(desk.lookup("c") == "nothing")
        #expect(desk.lookup("d") == "nothing")
        #expect(desk.processor.count == 2)
    }

    @Test("A script is for so many calls of a step whose keys fit, repeats among them")
    mutating func counts() throws {
        try desk.processor.add(TestProcessorScript(.lost, step: .capture, key: "purchase/*/capture", count: 2))
        #expect(desk.authorise("purchase/1/authorise") == "approved authorise-1")
        #expect(desk.authorise("other") == "approved authorise-2")
        #expect(desk.capture("other/capture", "authorise-2") == "captured capture-3")
        #expect(desk.capture("purchase/1/capture", "authorise-1") == "captured capture-4 but lost")
        #expect(desk.capture("purchase/1/capture", "authorise-1") == "captured capture-4 but lost again")
        #expect(desk.capture("purchase/1/capture", "authorise-1") == "captured capture-4 again")
        #expect(desk.processor.scripts.isEmpty)
    }

    @Test("Without its effect a call leaves nothing behind, and may be repeated with one")
    mutating func withoutEffect() throws {
        for fault in TestProcessorFault.allCases where !fault.hasEffect {
            try desk.processor.add(TestProcessorScript(fault))
            let key = fault.rawValue
            #expect(desk.authorise(key) == "but \(fault.rawValue)")
            #expect(desk.lookup(key) == "nothing")
            #expect(desk.authorise(key).hasPrefix("approved"))
        }
    }

    @Test("A refusal that was scripted is the outcome for ever, but not of a call that had one")
    mutating func refusals() throws {
        #expect(desk.authorise("a") == "approved authorise-1")
        try desk.processor.add(TestProcessorScript(.refuse, count: 4, refusal: .expiredCard))
        #expect(desk.authorise("a") == "approved authorise-1 but refuse again")
        #expect(desk.authorise("b") == "declined expired_card but refuse")
        #expect(desk.capture("c", "authorise-1") == "failed expired_card but refuse")
        #expect(desk.void("v", "authorise-1") == "voided")
        #expect(desk.capture("c", "authorise-1") == "failed expired_card but refuse again")
        #expect(desk.capture("c", "authorise-1") == "failed expired_card again")
        #expect(try desk.restarted.lookup("c", actionURL: "").outcome == .capture(.failed(.expiredCard)))
    }

    @Test("Scripts that mean nothing are refused")
    mutating func refused() {
        let wrong = [
            TestProcessorScript(.lost, count: 0), TestProcessorScript(.lost, count: 1_000_001),
            TestProcessorScript(.lost, step: .action), TestProcessorScript(.lost, step: .news),
            TestProcessorScript(.lost, refusal: .expiredCard), TestProcessorScript(.refuse, step: .void),
            TestProcessorScript(.lost, key: String(repeating: "*", count: 201)),
        ]
        for script in wrong {
            #expect(throws: TestProcessorRefusal.self) { try desk.processor.add(script) }
        }
        #expect(desk.processor.scripts.isEmpty)
    }

    @Test(
        "A star in a pattern is for any text",
        arguments: [
            ("purchase/*/capture", "purchase/12/capture", true), ("*", "", true), ("*", "x", true),
            ("a*", "ab", true), ("a*", "ba", false), ("*a", "ba", true), ("*a", "ab", false), ("a", "a", true),
            ("a", "ab", false), ("a*b*c", "a1b2b3c", true), ("a*b*c", "a1c", false), ("ab*ba", "aba", false),
            ("a**b", "ab", true), ("*b*b*", "b", false), ("", "", true), ("", "a", false),
        ])
    func patterns(pattern: String, text: String, matches: Bool) {
        #expect(TestProcessorScript.matches(pattern, text) == matches)
    }

    @Test(
        "Whatever is called in whatever order: a key keeps its effect, no money comes from nowhere, and a restart knows all"
    )
    mutating func randomCalls() throws {
        var random = RandomizedRun.generator(named: "calls to the test processor")
        for _ in 0..<RandomizedRun.cases(20) {
            desk = TestProcessorTranscript()
            var first: [TestProcessorCall: LookupOutcome] = [:]
            for _ in 0..<200 { try step(&random, &first) }
            let restarted = try desk.restarted
            for (call, outcome) in first {
                #expect(restarted.lookup(call.key, actionURL: "").number != nil)
                if case .authorise = outcome { continue }
                #expect(restarted.lookup(call.key, actionURL: "").outcome == outcome)
            }
            #expect(restarted.totals == desk.processor.totals)
            for sums in restarted.totals.sums.values {
                #expect(0 <= sums.refunded && sums.refunded <= sums.captured)
            }
            #expect(authorisedSum() >= restarted.totals.sums[.usd]?.captured ?? 0)
        }
    }

    private func authorisedSum() -> Int128 {
        desk.processor.records(after: 0, limit: .max).filter { $0.kind == .authorise && $0.result != .declined }
            .reduce(0) { $0 + Int128($1.amount?.minorUnits ?? 0) }
    }

    private mutating func step(
        _ random: inout SplitMix64, _ first: inout [TestProcessorCall: LookupOutcome]
    ) throws {
        let number = Int.random(in: 1...20, using: &random)
        let amount = TestProcessorTranscript.money(Int64.random(in: -1...3, using: &random))
        let key = "k\(Int.random(in: 1...30, using: &random))"
        let methods = TestPaymentMethod.all.map(\.token)
        if Int.random(in: 0..<10, using: &random) == 0 {
            try? desk.processor.add(
                TestProcessorScript(TestProcessorFault.allCases.randomElement(using: &random) ?? .lost))
        }
        let call: TestProcessorCall
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            call = .authorise(
                AuthorisationRequest(
                    key: key, amount: amount, method: methods.randomElement(using: &random) ?? "", description: ""))
        case 1: call = .capture(key: key, reference: "authorise-\(number)", amount: amount)
        case 2: call = .void(key: key, reference: "authorise-\(number)")
        case 3: call = .refund(key: key, reference: "capture-\(number)", amount: amount)
        default:
            _ = try? desk.processor.act(on: "authorise-\(number)", completed: Bool.random(using: &random))
            return
        }
        guard let outcome = try? desk.processor.handle(call, actionURL: "").outcome else { return }
        #expect(first[call] == nil || first[call] == outcome, "\(call)")
        first[call] = outcome
    }
}
