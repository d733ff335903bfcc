import Foundation
import StoreModel
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

    private func attack<Payload: Codable & Equatable>(_ type: Payload.Type, _ golden: String, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = Array(golden.utf8)
        var accepted = 0
        for _ in 0..<3000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                guard !mutated.isEmpty else { break }
                let position = Int.random(in: 0..<mutated.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: mutated[position] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: mutated.remove(at: position)
                case 2: mutated.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: position)
                case 3: mutated.removeSubrange(position...)
                default:
                    let end = Int.random(in: position..<mutated.count, using: &generator)
                    mutated.insert(contentsOf: mutated[position...end], at: position)
                }
            }
            if try survives(type, Data(mutated)) { accepted += 1 }
        }
        #expect(accepted > 0, "some mutations only touch free text, or the test would prove nothing")
        #expect(accepted < 3000)
    }

    @Test("Mutated transactions fail with an error or read cleanly, seed 1")
    func transactions() throws {
        try attack(TransactionPayload.self, GoldenPayloads.transaction, seed: 1)
    }

    @Test("Mutated renewal infos fail with an error or read cleanly, seed 2")
    func renewalInfos() throws {
        try attack(RenewalInfoPayload.self, GoldenPayloads.renewalInfo, seed: 2)
    }

    @Test("Mutated app transactions fail with an error or read cleanly, seed 3")
    func appTransactions() throws {
        try attack(AppTransactionPayload.self, GoldenPayloads.appTransaction, seed: 3)
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
