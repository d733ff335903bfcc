import StoreModel
import StoreRules

@testable import TestProcessor

/// Talks to a test processor and writes down what it answers, a line each.
struct TestProcessorTranscript {
    var processor = TestProcessorState()
    /// Everything again from its records, as after a restart.
    var restarted: TestProcessorState {
        get throws {
            var other = TestProcessorState()
            for record in processor.records(after: 0, limit: .max) { try other.add(record) }
            return other
        }
    }

    static func money(_ minorUnits: Int64, _ currency: Currency = .usd) -> Money {
        Money(minorUnits: minorUnits, currency: currency)
    }

    mutating func authorise(
        _ key: String, _ amount: Int64 = 500, _ currency: Currency = .usd, _ method: String = "test_approved",
        description: String = "Monkey food"
    ) -> String {
        say(
            .authorise(
                AuthorisationRequest(
                    key: key, amount: Self.money(amount, currency), method: method, description: description)))
    }

    mutating func capture(
        _ key: String, _ reference: String, _ amount: Int64 = 500, _ currency: Currency = .usd
    ) -> String {
        say(.capture(key: key, reference: reference, amount: Self.money(amount, currency)))
    }

    mutating func void(_ key: String, _ reference: String) -> String { say(.void(key: key, reference: reference)) }

    mutating func refund(
        _ key: String, _ reference: String, _ amount: Int64 = 500, _ currency: Currency = .usd
    ) -> String {
        say(.refund(key: key, reference: reference, amount: Self.money(amount, currency)))
    }

    mutating func act(_ reference: String, completed: Bool) -> String {
        do throws(TestProcessorRefusal) {
            let reply = try processor.act(on: reference, completed: completed)
            return reply.record == nil ? "as before" : "done"
        } catch {
            return "refused \(error.code.rawValue)"
        }
    }

    func lookup(_ key: String) -> String { Self.text(processor.lookup(key, actionURL: "https://act/").outcome) }

    mutating func say(_ call: TestProcessorCall) -> String {
        do throws(TestProcessorRefusal) {
            let reply = try processor.handle(call, actionURL: "https://act/")
            let words = [
                reply.outcome.map(Self.text), reply.fault.map { "but \($0.rawValue)" },
                reply.record == nil && reply.outcome != nil ? "again" : nil,
            ]
            return words.compactMap(\.self).joined(separator: " ")
        } catch {
            return "refused \(error.code.rawValue)"
        }
    }

    static func text(_ outcome: LookupOutcome) -> String {
        let answer = ProcessorAnswer(outcome)
        return [answer.outcome, answer.reference, answer.url, answer.refusal?.rawValue].compactMap(\.self)
            .joined(separator: " ")
    }
}
