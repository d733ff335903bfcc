import StoreModel
import Testing

@testable import StoreBackend
@testable import till

@Suite("What till backend tells an operator") struct BackendTextTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_780_000_000_000)
    private static let later = now + .seconds(300)

    private static func row(
        _ number: Int64, revoked: Instant? = nil, isUpgraded: Bool = false, expires: Instant? = later,
        isInForce: Bool = false
    ) throws -> Entitlement {
        let transaction = VerifiedTransaction(
            environment: .sandbox, transactionID: try TransactionID(number: 2_000_000_000_000_000 + number),
            originalTransactionID: try TransactionID(number: 2_000_000_000_000_001),
            bundleID: try BundleID(parsing: "com.example.magazines"), productID: try ProductID(parsing: "monthly"),
            kind: .autoRenewable, quantity: 1, purchaseDate: now, originalPurchaseDate: now, expiresDate: expires,
            revocationDate: revoked, isUpgraded: isUpgraded, statedAt: now)
        return Entitlement(transaction: transaction, expires: expires, isInForce: isInForce)
    }

    @Test("Of what somebody does not have any more it is said why") func reasons() throws {
        let restored = try Self.row(2, isInForce: true)
        let rows = [
            (restored, "has it"), (try Self.row(1), "the same as 2000000000000002"),
            (try Self.row(8, expires: Self.later + .seconds(1)), "replaced by 2000000000000002"),
            (try Self.row(3, revoked: Self.now), "taken back \(Self.now.rfc3339)"),
            (try Self.row(4, isUpgraded: true), "upgraded"), (try Self.row(5, expires: Self.now), "ended"),
        ]
        for (row, text) in rows {
            #expect(EntitlementText.now(row, among: [restored, row], at: Self.now) == text)
        }
        let refunded = try Self.row(6, revoked: Self.now)
        #expect(
            EntitlementText.now(try Self.row(7), among: [refunded], at: Self.now)
                == "taken back with 2000000000000006")
    }

    @Test("A list that cannot be delivered is published with a warning") func warnings() throws {
        var list = ProductList(
            bundleID: try BundleID(parsing: "com.example.a"),
            products: [
                ListedProduct(try ProductID(parsing: "a"), kind: .nonConsumable, content: "jungel"),
                ListedProduct(try ProductID(parsing: "b"), kind: .nonConsumable, content: "jungle"),
                ListedProduct(try ProductID(parsing: "c"), kind: .consumable),
            ])
        let warnings = list.warnings(contents: ["jungle"])
        #expect(warnings.count == 2)
        #expect(warnings.first?.contains("no content jungel of a yet") == true)
        #expect(warnings.last?.hasPrefix("c credits nothing") == true)
        list.products = [list.products[1]]
        #expect(list.warnings(contents: ["jungle"]).isEmpty)
    }

    @Test(
        "A shared secret that cannot be one is noticed before somebody pays",
        arguments: [
            ("aee9c4781f0f4f0bb1a3a2a24b7c0a11", true), ("{", false), ("aee9c4781f0f4f0bb1a3a2a24b7c0a1z", false),
        ])
    func secrets(text: String, isUsual: Bool) {
        #expect(SharedSecrets.isUsual(text) == isUsual)
    }
}
