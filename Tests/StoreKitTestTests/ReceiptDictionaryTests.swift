import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreKit
import StoreModel
import StoreServer
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("What verifyReceipt says of a payment", .bounded)
struct ReceiptDictionaryTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// What a queue says of a payment that was made.
    private struct Told {
        let product: String
        let quantity: Int
        let id: String?
        let date: Date?
        let original: String?
        let originalDate: Date?
        let receipt: [UInt8]

        init(_ transaction: SKPaymentTransaction) throws {
            product = transaction.payment.productIdentifier
            quantity = transaction.payment.quantity
            id = transaction.transactionIdentifier
            date = transaction.transactionDate
            // What is bought for the first time is its own original.
            original = transaction.original?.transactionIdentifier ?? id
            originalDate = transaction.original?.transactionDate ?? date
            let receipt = transaction.transactionReceipt
            self.receipt = Array(try #require(receipt))
        }

        /// The same in the words of `verifyReceipt`, which counts in whole seconds there.
        var words: [String: String] {
            [
                "product_id": product, "quantity": String(quantity), "transaction_id": id ?? "",
                "original_transaction_id": original ?? "", "purchase_date_ms": Self.milliseconds(date),
                "original_purchase_date_ms": Self.milliseconds(originalDate),
            ]
        }

        private static func milliseconds(_ date: Date?) -> String {
            date.map { String(Int64(($0.timeIntervalSince1970 * 1000).rounded())) } ?? ""
        }
    }

    @Test(
        "R4.2: the dictionary of a receipt and the payment agree field by field, for every kind of product",
        arguments: [
            ("monkeys.credits5", 3, false), ("monkeys.jungle", 1, false), ("monkeys.season", 2, false),
            ("monkeys.hat", 1, false), ("monkeys.club", 1, true),
        ])
    func fields(product: String, quantity: Int, renews: Bool) async throws {
        let bench = try Bench()
        let store = bench.session.parts.scene.store.store
        let app = bench.session.parts.scene.store.bundle
        try await bench.run { observer in
            observer.finishes(false)
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            payment.quantity = quantity
            SKPaymentQueue.default().add(payment)
            try await observer.until("purchased \(product.split(separator: ".")[1])")
            let told = try #require(SKPaymentQueue.default().transactions.first.map { try Told($0) })
            #expect(told.product == product && told.quantity == quantity && told.date == Bench.start.date)
            let url = try #require(Bundle.main.appStoreReceiptURL)
            let whole = try await Self.verify(Array(Data(contentsOf: url)), in: store, of: app)
            let inApp = try #require((whole["receipt"] as? [String: Any])?["in_app"] as? [[String: String]])
            #expect(inApp.count == 1)
            var dictionaries = inApp
            if let latest = whole["latest_receipt_info"] as? [[String: String]] { dictionaries += latest }
            #expect(dictionaries.count == (renews ? 2 : 1))
            let old = try await Self.verify(told.receipt, in: store, of: app)
            dictionaries.append(try #require(old["receipt"] as? [String: String]))
            if let latest = old["latest_receipt_info"] as? [String: String] { dictionaries.append(latest) }
            #expect(dictionaries.count == (renews ? 4 : 2))
            for dictionary in dictionaries {
                for (name, value) in told.words { #expect(dictionary[name] == value, "\(name) of \(product)") }
                #expect((dictionary["expires_date"] != nil) == renews)
                #expect((dictionary["web_order_line_item_id"] != nil) == renews)
                #expect(dictionary["cancellation_date"] == nil)
            }
            #expect(inApp[0]["in_app_ownership_type"] == "PURCHASED" && inApp[0]["is_trial_period"] == "false")
        }
    }

    private static func verify(
        _ receipt: [UInt8], in store: EnvironmentStore, of bundle: BundleID
    ) async throws -> [String: Any] {
        try await store.catalogue.write { transaction in
            let app = try #require(try Catalogue.app(bundle, in: transaction))
            let cause = CatalogueCause(.store, at: app.createdAt)
            try SharedSecrets.set(secret, of: app.id, in: .sandbox, cause.change(in: transaction))
        }
        let databases = StoreDatabases(
            catalogue: store.catalogue, production: store.database, sandbox: store.database)
        let verification = try ReceiptVerification(TestKeys.sandbox.get(), other: nil, databases)
        let routes = VerifyReceiptRoutes(.sandbox, verification, log: store.log, clocks: store.clocks)
        let service = HTTPService(routes.routes, errors: JSONErrorForm(), report: { _, _ in })
        let body = #"{"receipt-data":"\#(Base64.encode(receipt))","password":"\#(secret)"}"#
        let response = try await InMemoryTransport(service, clock: { 0 }).send(
            TransportRequest("POST", "/verifyReceipt", body: .collected(Array(body.utf8))))
        let answer = try JSONSerialization.jsonObject(with: Data(await response.body.collect()))
        let dictionary = try #require(answer as? [String: Any])
        #expect(dictionary["status"] as? Int == 0)
        return dictionary
    }
}
