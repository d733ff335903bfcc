import Foundation
import StoreModel
import Testing

@Suite("Identifiers that are numbers")
struct NumericIdentifierTests {
    @Test(
        "Decimal text is read and written unchanged",
        arguments: ["0", "1", "42", "2000000000000001", "9223372036854775807"])
    func roundTrip(text: String) throws {
        let id = try TransactionID(parsing: text)
        #expect(id.description == text)
        #expect(TransactionID(text) == id)
        #expect(try jsonText([id]) == "[\"\(text)\"]")
        #expect(try decode([TransactionID].self, from: "[\"\(text)\"]") == [id])
    }

    @Test(
        "Anything but plain decimal is refused",
        arguments: [
            "", " ", "00", "01", "+1", "-1", "1 ", " 1", "1.0", "1e3", "0x10", "1_000", "９", "١", "9223372036854775808",
            "99999999999999999999999", "com.example.app", "1\u{0}",
        ])
    func malformed(text: String) {
        let error = #expect(throws: InvalidValue.self) { try TransactionID(parsing: text) }
        #expect(error?.subject == "transaction id")
        #expect(TransactionID(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([TransactionID].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test("A negative number is refused by name", arguments: [-1, Int64.min])
    func negative(number: Int64) {
        let error = #expect(throws: InvalidValue.self) { try WebOrderLineItemID(number: number) }
        #expect(error?.code == .outOfRange)
        #expect(error?.subject == "web order line item id")
        #expect(throws: InvalidValue.self) { try AppID(number: number) }
        #expect(throws: DecodingError.self) { try decode([AppID].self, from: "[\(number)]") }
    }

    @Test("Transaction ids are JSON strings, numbers of the catalogue are JSON numbers")
    func wireForms() throws {
        #expect(throws: DecodingError.self) { try decode([TransactionID].self, from: "[42]") }
        #expect(throws: DecodingError.self) { try decode([AppID].self, from: "[\"42\"]") }
        #expect(try jsonText([try AppID(number: 343_200_656)]) == "[343200656]")
        #expect(try decode([AppID].self, from: "[0]") == [try AppID(number: 0)])
        #expect(throws: DecodingError.self) { try decode([ItemID].self, from: "[1.5]") }
        #expect(throws: DecodingError.self) { try decode([AppVersionID].self, from: "[1e30]") }
    }

    @Test("Sales, charges and subscriptions are JSON strings, what a store counts for itself are JSON numbers")
    func storeForms() throws {
        #expect(try jsonText([try SaleID(number: 7)]) == "[\"7\"]")
        #expect(try jsonText([try ChargeID(number: 7)]) == "[\"7\"]")
        #expect(try jsonText([try SubscriptionID(number: 7)]) == "[\"7\"]")
        #expect(try jsonText([try RefundID(number: 7)]) == "[7]")
        #expect(try jsonText([try FamilyID(number: 7)]) == "[7]")
        #expect(try decode([RefundRequestID].self, from: "[7]") == [try RefundRequestID(number: 7)])
        #expect(throws: DecodingError.self) { try decode([RefundRequestID].self, from: "[\"7\"]") }
        #expect(throws: DecodingError.self) { try decode([PaymentMethodID].self, from: "[-7]") }
    }

    @Test("A purchase, its sale and its charge have one number, as a subscription and its first transaction")
    func sameNumbers() throws {
        let purchase = try PurchaseID(number: 17)
        #expect(purchase.sale.number == 17 && purchase.sale.purchase == purchase)
        #expect(purchase.sale.charge.number == 17 && purchase.sale.charge.sale == purchase.sale)
        let first = try TransactionID(number: 2_000_000_000_000_001)
        let subscription = SubscriptionID(beganWith: first)
        #expect(subscription.original == first && subscription.environment == .sandbox)
    }

    @Test(
        "The range of a number tells its environment (P3)",
        arguments: [
            ("2000000000000000", StoreEnvironment.sandbox), ("2000000999999999", .sandbox),
            ("2999999999999999", .sandbox),
            ("170000000000000", .production), ("999999999999999", .production), ("1999999999999999", nil),
            ("3000000000000000", nil), ("169999999999999", nil), ("1000000000000000", nil), ("1000000222222222", nil),
            ("0", nil),
        ])
    func environment(text: String, expected: StoreEnvironment?) throws {
        #expect(try TransactionID(parsing: text).environment == expected)
        #expect(try WebOrderLineItemID(parsing: text).environment == expected)
        #expect(try AppTransactionID(parsing: text).environment == expected)
    }

    @Test("The ranges of the environments do not meet, and sandbox numbers begin with 2000000")
    func ranges() {
        let (production, sandbox) = (TransactionID.numbers(in: .production), TransactionID.numbers(in: .sandbox))
        #expect(!production.overlaps(sandbox))
        #expect(String(sandbox.lowerBound).hasPrefix("2000000"))
        #expect(String(sandbox.lowerBound + 999_999_999).hasPrefix("2000000"))
        #expect(String(production.lowerBound).count == 15 && String(production.upperBound).count == 15)
    }

    @Test("A bundle id given where the store's number is wanted is recognised (R1.12)")
    func bundleIDGiven() {
        let error = #expect(throws: InvalidValue.self) { try AppID(parsing: "com.example.app") }
        #expect(error?.rule.contains("this is a bundle id") == true)
        let other = #expect(throws: InvalidValue.self) { try AppID(parsing: "1.") }
        #expect(other?.rule.contains("bundle id") == false)
    }

    @Test("Numbers are ordered as numbers, not as text")
    func order() throws {
        #expect(try CustomerID(number: 9) < CustomerID(number: 10))
        #expect(try DeviceID(number: 2) != DeviceID(number: 3))
        #expect(try PurchaseID(number: 7).description == "7")
    }
}
