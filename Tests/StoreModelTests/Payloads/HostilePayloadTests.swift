import Foundation
import StoreModel
import TestSupport
import Testing

@Suite("Hostile payloads")
struct HostilePayloadTests {
    /// Texts that have broken parsers before, to be set in place of a value.
    private static let poison = [
        "null", "true", "-1", "0", "1e400", "-1e400", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808",
        "1.7976931348623157e308", "5e-324", "0.1", "\"\"", "\"\\u0000\"", "\"\\ud800\"", "\"\u{202E}\"", "[]", "{}",
        "[[[[]]]]",
        "\"9999999999999999999999999\"", "\"-1\"", "\"P0D\"", "\"P99999999999999999999Y\"", "NaN", "Infinity", "+1",
        "01", "'x'",
    ]

    /// Decodes; either it fails with an error, or what came out can be written and read again.
    private func survives<Payload: Codable & Equatable>(_ type: Payload.Type, _ data: Data) throws -> Bool {
        guard let payload = try? JSONDecoder().decode(type, from: data) else { return false }
        let written = try JSONEncoder().encode(payload)
        #expect(try JSONDecoder().decode(type, from: written) == payload)
        return true
    }

    private func attack<Payload: Codable & Equatable>(_ type: Payload.Type, _ golden: String) throws {
        var outcomes = (accepted: 0, refused: 0)
        for mutant in Mutants("\(type)", of: [golden], rounds: 3000) {
            if try survives(type, Data(mutant.bytes)) { outcomes.accepted += 1 } else { outcomes.refused += 1 }
        }
        // Some damages only touch free text; if none were accepted, or all, the test would prove nothing.
        #expect(outcomes.accepted > 0 && outcomes.refused > outcomes.accepted)
    }

    @Test("Mutated transactions fail with an error or read cleanly")
    func transactions() throws {
        try attack(TransactionPayload.self, GoldenPayloads.transaction)
    }

    @Test("Mutated renewal infos fail with an error or read cleanly")
    func renewalInfos() throws {
        try attack(RenewalInfoPayload.self, GoldenPayloads.renewalInfo)
    }

    @Test("Mutated app transactions fail with an error or read cleanly")
    func appTransactions() throws {
        try attack(AppTransactionPayload.self, GoldenPayloads.appTransaction)
    }

    @Test("Poison in place of any value fails with an error or reads cleanly")
    func poisonedValues() throws {
        for (golden, attempt) in [
            (GoldenPayloads.transaction, { try self.survives(TransactionPayload.self, $0) }),
            (GoldenPayloads.renewalInfo, { try self.survives(RenewalInfoPayload.self, $0) }),
            (GoldenPayloads.appTransaction, { try self.survives(AppTransactionPayload.self, $0) }),
        ] as [(String, (Data) throws -> Bool)] {
            let values = golden.ranges(of: /:("[^"]*"|[0-9]+|true)/)
            #expect(values.count > 10)
            var refused = 0
            for range in values {
                for poison in Self.poison {
                    let text = golden.replacingCharacters(in: range, with: ":" + poison)
                    if try !attempt(Data(text.utf8)) { refused += 1 }
                }
            }
            #expect(refused > values.count)
        }
    }

    @Test("Deep nesting and long texts fail with an error", arguments: [1000, 100_000])
    func depth(count: Int) {
        for text in [
            String(repeating: "[", count: count), String(repeating: "{\"a\":", count: count),
            "{\"transactionId\":\"" + String(repeating: "1", count: count) + "\"}",
        ] {
            #expect(throws: (any Error).self) { try decode(TransactionPayload.self, from: text) }
        }
    }

    @Test("Instants from a payload can be added up and written without a trap")
    func arithmeticOnReceivedTimes() throws {
        for extreme in [Instant.earliest, .latest] {
            let text = GoldenPayloads.transaction.replacingOccurrences(
                of: "\"expiresDate\":1766774390123", with: "\"expiresDate\":\(extreme.millisecondsText)")
            let expires = try #require(try decode(TransactionPayload.self, from: text).expiresDate)
            #expect(expires == extreme)
            #expect(expires.adding(.oneYear, times: .max) == .latest)
            #expect(expires.adding(.oneWeek, times: .min) == .earliest)
            #expect((expires + .seconds(Int64.max)).rfc3339.hasPrefix("9999-"))
            #expect((expires - .seconds(Int64.max)).pacificText.hasPrefix("0001-"))
        }
    }
}
