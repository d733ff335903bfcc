import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreService

/// A customer who subscribes to an app, and a server that has its receipts verified.
struct ReceiptScene {
    let sale: SaleScene
    let databases: StoreDatabases
    let customer: CustomerID
    let device: DeviceScope
    private let verification: ReceiptVerification

    private static let secret = "0123456789abcdef0123456789abcdef"

    init(_ databases: StoreDatabases) async throws {
        try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
        self.databases = databases
        sale = try SaleScene(databases)
        try await sale.enterPlans([1001, 1002])
        let (app, secret) = (try AppID(number: 42), Self.secret)
        let cause = CatalogueCause(.store, at: sale.time.current)
        try await databases.catalogue.write {
            try SharedSecrets.set(secret, of: app, in: .sandbox, cause.change(in: $0))
        }
        customer = try await sale.customer()
        device = try await sale.device(customer)
        verification = try ReceiptVerification(SampleKeys.of(.sandbox), other: nil, databases)
    }

    /// Runs a test on an engine.
    static func on(_ engine: StoreEngine, _ body: (ReceiptScene) async throws -> Void) async throws {
        try await engine.withStore { try await body(ReceiptScene($0)) }
    }

    // MARK: What happens

    /// A month of the better subscription is level 1, of the other one level 2.
    static func plan(level: Int = 2, cents: Int64 = 499, _ offer: StoreRules.OfferTerms? = nil) throws -> SoldItem {
        try SaleScene.plan(level == 1 ? 1001 : 1002, level: level, cents: cents, offer: offer)
    }

    static func offer(
        _ kind: OfferKind, _ id: String? = nil, _ mode: OfferPaymentMode = .payAsYouGo, count: Int = 3
    ) -> StoreRules.OfferTerms {
        StoreRules.OfferTerms(
            kind: kind, id: id, mode: mode, period: .oneMonth, count: mode == .payAsYouGo ? count : 1,
            price: Money(minorUnits: mode == .free ? 0 : 99, currency: .usd))
    }

    /// Sells a subscription by an offer that the operator gives: the order and its charge alone.
    private func sell(_ item: SoldItem) async throws -> TransactionID? {
        let (store, scope) = (sale.store, try device.requireCustomerScope())
        let id = try SaleID(number: await store.numbers.next(.purchases))
        let (drawn, cause) = (try await store.draw(), store.cause(.owner))
        let charge = try await store.database.write { transaction -> StoredCharge? in
            let change = try cause.change(of: scope.customer, in: transaction)
            let order = try SaleOrder(
                id, .operator, of: item, quantity: 1, to: scope, commission: drawn.commission,
                orderLine: drawn.orderLine, at: change.commerce)
            try order.insert(change)
            guard !order.total.isZero else {
                try Sales.deliverUnasked(order, isPaid: false, drawn, change)
                return nil
            }
            let method = try #require(try Customers.paymentMethods(of: scope.customer, in: transaction).last)
            return try Charges.open(order, paidWith: method, isAttended: true, change)
        }
        if let charge { _ = try await sale.charges.drive(charge, isFirst: true, cause) }
        return try await store.database.read { try Transactions.find(order: id, in: $0)?.id }
    }

    @discardableResult
    func buy(_ item: SoldItem) async throws -> TransactionID? {
        if let offer = item.offer, offer.kind != .introductory { return try await sell(item) }
        let bought = try await sale.buy(item, on: device)
        #expect(bought.state == .purchased)
        return bought.transaction
    }

    /// Lets days go by, with all that is due in them.
    func pass(days: Int64, hours: Int64 = 0) async throws {
        let end = sale.time.current + .seconds((days * 24 + hours) * 3600)
        let report = try await sale.pass(until: end)
        #expect(report.keptBusyBy == nil)
    }

    func setGrace(days: Int) async throws {
        _ = try await databases.catalogue.write { transaction in
            try transaction.execute(
                "UPDATE app SET grace_days = $1, grace_only_paid = 0, grace_in_production = 1 WHERE app_id = 42", days)
        }
    }

    func takeFromSale() async throws {
        _ = try await databases.catalogue.write { transaction in
            try transaction.execute("UPDATE product SET is_cleared_for_sale = 0")
        }
    }

    // MARK: What the server is told

    /// What is said of the app receipt that the device has now.
    func verify(excludingOld: Bool = false) async throws -> (receipt: AppReceipt, latest: AppVerification.Latest) {
        let verified = try await verified(excludingOld: excludingOld)
        return (verified.receipt, try #require(verified.latest))
    }

    /// All that comes of it.
    ///
    /// - Parameter instant: when the receipt was made; now if it is nil.
    func verified(at instant: Instant? = nil, excludingOld: Bool = false) async throws -> AppVerification {
        let (id, now) = (device.device, instant ?? sale.time.current)
        let receipt = try await databases.sandbox.read { transaction in
            try Receipts.appReceipt(
                of: id, in: .sandbox, opaqueValue: [UInt8](repeating: 5, count: Receipts.opaqueBytes), at: now,
                in: transaction)
        }
        let signed = try SampleKeys.of(.sandbox).receiptSigner().sign(receipt)
        guard case .app(let verified) = try await verify(signed, excludingOld: excludingOld) else {
            throw DatabaseError(.unexpectedValue, "this is no app receipt")
        }
        return verified
    }

    /// What is said of the receipt of a transaction, in the form of iOS 6.
    func verify(_ id: TransactionID?) async throws -> TransactionVerification.Latest {
        try #require(try await verified(id).latest)
    }

    func verified(_ id: TransactionID?) async throws -> TransactionVerification {
        let (bought, device) = (try await sale.transaction(id), device.device)
        let receipt = try await databases.sandbox.read {
            try Receipts.transactionReceipt(of: bought, for: device, in: .sandbox, in: $0)
        }
        let signed = try SampleKeys.of(.sandbox).transactionReceiptSigner().sign(receipt)
        guard case .transaction(let verified) = try await verify(signed) else {
            throw DatabaseError(.unexpectedValue, "this is no receipt of a transaction")
        }
        return verified
    }

    private func verify(_ receipt: [UInt8], excludingOld: Bool = false) async throws -> Verification {
        try await verification.verify(
            VerificationRequest(receipt: receipt, password: Self.secret, excludesOldTransactions: excludingOld),
            by: sale.store.clocks)
    }

    /// The only one of `pending_renewal_info`.
    func renewal() async throws -> PendingRenewal {
        let all = try await verify().latest.renewals
        try #require(all.count == 1)
        return all[0]
    }
}
