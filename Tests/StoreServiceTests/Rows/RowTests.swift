import StoreDatabase
import TestSupport
import Testing

@testable import StoreService

@Suite("Rows are written as they are read", .bounded)
struct RowTests {
    @Test("Every column of a row is written, changed and read as itself", arguments: environment)
    func environmentRows(_ example: RowExample) async throws {
        let database = try await StoreDatabases.inMemory(.current()).sandbox
        await #expect(throws: Never.self) { try await database.write { try example.check($0) } }
    }

    private static let money: [String: [DatabaseValue]] = ["currency": [.text("USD"), .text("EUR")]]
    private static let item = money.merging([
        "storefront": [.text("USA"), .text("DEU")], "kind": [.text("Consumable"), .text("Non-Consumable")],
        "period": [.text("P1M"), .text("P1Y")], "offer_type": [.integer(1), .integer(3)],
        "offer_mode": [.text("FREE_TRIAL"), .text("PAY_AS_YOU_GO")], "offer_period": [.text("P1W"), .text("P3D")],
        "account_token": [
            .text("0f8fad5b-d9cb-469f-a165-70867728950e"), .text("7c9e6679-7425-40de-944b-e07fc1f90ae7"),
        ],
    ]) { $1 }

    private static let keys: [DatabaseValue] = [
        .text("1f8fad5b-d9cb-469f-a165-70867728950e"), .text("2c9e6679-7425-40de-944b-e07fc1f90ae7"),
    ]

    private static let environment = [
        RowExample(SaleOrder.table, special: item.merging(["order_key": keys]) { $1 }) { try SaleOrder($0) },
        RowExample(
            StoredPurchase.table,
            special: item.merging([
                "purchase_key": keys, "asks_to_buy": [.integer(0), .integer(1)],
                "state": [.text("confirmation"), .text("charging")],
            ]) { $1 }
        ) { try StoredPurchase($0) },
        RowExample(
            StoredCharge.table,
            special: money.merging([
                "amount": [.integer(9_000_001), .integer(9_000_002)], "is_owned_once": [.integer(0), .integer(1)],
                "is_attended": [.integer(1), .integer(0)], "is_on_page": [.integer(1), .integer(1)],
                "state": [.text("capturing"), .text("captured")],
            ]) { $1 }
        ) { try StoredCharge($0) },
        RowExample(StoreTransaction.table, selection: StoreTransaction.selection, special: item) {
            try StoreTransaction($0)
        },
        RowExample(
            StoredSubscription.table,
            special: item.merging([
                "state": [.text("active"), .text("retry")], "charge_state": [.text("none"), .text("resting")],
                "renews": [.integer(0), .integer(1)], "raise_needs_consent": [.integer(1), .integer(0)],
                "raise_agreed": [.integer(1), .integer(1)], "scale": [.text("calendar"), .text("month/180000")],
                "next_period": [.text("P6M"), .text("P2M")], "running_period": [.text("P3M"), .text("P1W")],
                "next_offer_type": [.integer(2), .integer(4)],
                "next_offer_mode": [.text("PAY_UP_FRONT"), .text("FREE_TRIAL")],
                "next_offer_period": [.text("P2W"), .text("P5D")],
            ]) { $1 }, derived: ["counts_until"]
        ) { try StoredSubscription($0) },
        RowExample(
            StoredRefund.table,
            selection: "SELECT \(StoredRefund.table.columns), 'capture' FROM refund",
            special: money.merging([
                "refund_key": keys, "revokes": [.integer(0), .integer(1)],
                "state": [.text("refunding"), .text("refunded")],
            ]) { $1 }
        ) { try StoredRefund($0) },
        RowExample(
            StoredRefundRequest.table, special: ["state": [.text("asked"), .text("declined")]]
        ) { try StoredRefundRequest($0) },
        RowExample(
            StoredNotification.table,
            special: [
                "uuid": keys, "state": [.text("waiting"), .text("resting")],
            ]
        ) { try StoredNotification($0) },
        RowExample(StoredExtension.table) { try StoredExtension($0) },
        RowExample(
            StoredMassExtension.table, special: ["storefronts": [.text("USA"), .text("DEU JPN")]]
        ) { try StoredMassExtension($0) },
    ]
}
