import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService

/// What a test does to the subscriptions of the customer, and to the time they live by.
extension TestStore {
    private static let longestList = 1_000
    /// How long a subscription counts that could not be paid, where a test wants that.
    private static let graceDays = 16

    var changes: SubscriptionChanges { SubscriptionChanges(store) }
    private var cause: ChangeCause { store.cause(.owner) }

    // MARK: Time

    /// Lets the time of the store go by, and returns when all that became due by that has been done.
    func advance(by duration: Duration) async throws {
        try Self.check(try await Clocks(store).advance(nil, by: ClockStep(duration), isConfirmed: true, cause))
    }

    /// Lets the time of the store become this, and returns when all that became due by that has been done.
    func advance(to goal: Instant) async throws {
        do {
            try Self.check(try await Clocks(store).advance(nil, to: goal, isConfirmed: true, cause))
        } catch let error as ServiceError where error.code == .valueInvalid {
            throw SKTestError(.invalidAction, "\(error.message).")
        }
    }

    private static func check(_ report: ClockAdvance) throws {
        if let kind = report.keptBusyBy {
            throw SKTestError(.serviceUnavailable, "The store did not become quiet: there was always more \(kind) due.")
        }
    }

    /// Begins with the settings of a configuration.
    func begin(with settings: TestSettings) async throws {
        if settings.interruptedPurchasesEnabled { try await setInterruptsPurchases(true) }
        if settings.askToBuyEnabled { try await setAsksToBuy(true) }
        if settings.billingGracePeriodIsEnabled { try await setHasGracePeriod(true) }
        if settings.timeRate != .realTime { try await setPeriodScale(settings.timeRate.scale) }
    }

    /// Does what is due now.
    func doWhatIsDue() async throws { try await Clocks(store).settle() }

    /// Returns when the server of the app has been told what is to be told now.
    func deliverNotifications() async throws { try await Clocks(store).awaitDeliveries() }

    /// Does what becomes due while time goes by, until the task is cancelled.
    func work() async {
        await WorkLoop(store, name: "test").run()
    }

    func setPeriodScale(_ scale: PeriodScale) async throws {
        let id = customer
        try await store.database.write { try Customers.setPeriodScale(scale, of: id, in: $0) }
    }

    func setHasGracePeriod(_ hasGracePeriod: Bool) async throws {
        let (bundle, now) = (bundle, store.clocks.wall())
        let setting = GracePeriodDraft(
            days: hasGracePeriod ? Self.graceDays : 0, isOnlyPaid: false, isInProduction: false)
        try await databases.catalogue.write { transaction in
            guard let app = try Catalogue.app(bundle, in: transaction) else { return }
            try GracePeriods.put(setting, of: app.id, CatalogueChange(.store, at: now, in: transaction))
        }
    }

    // MARK: Subscriptions

    func expire(_ product: String) async throws {
        let found = try await running(product)
        try await refusing { _ = try await changes.expire(found.id, cause) }
    }

    func forceRenewal(of product: String) async throws {
        let found = try await running(product)
        try await refusing { _ = try await changes.forceRenewal(found.id, cause) }
    }

    func setRenews(_ renews: Bool, _ identifier: Int) async throws {
        let found = try await subscription(of: identifier)
        try await refusing { _ = try await changes.renew(found.id, renews, cause) }
    }

    func requestConsent(_ identifier: Int) async throws {
        let found = try await subscription(of: identifier)
        try await refusing { _ = try await changes.requestConsent(found.id, cause) }
    }

    func answerPrice(_ identifier: Int, agrees: Bool) async throws {
        let found = try await subscription(of: identifier)
        try await refusing { _ = try await changes.answerPrice(found.id, agrees: agrees, cause) }
    }

    /// Has a subscription paid whose payment is tried again.
    func resolve(_ found: StoredSubscription) async throws {
        guard found.state == .grace || found.state == .retry else {
            throw SKTestError(.invalidAction, "The subscription \(found.id) has no issue to be resolved.")
        }
        try await processor.paying {
            try await refusing { _ = try await changes.resolve(found.id, cause) }
        }
    }

    /// The subscription to a product, while it runs or is tried to be paid.
    private func running(_ product: String) async throws -> StoredSubscription {
        let missing = SKTestError(.noSubscriptionFound, "There is no subscription to \(product) that runs.")
        guard let id = try? ProductID(parsing: product) else { throw missing }
        let bundle = bundle
        let known = try await databases.catalogue.read { transaction in
            try Catalogue.app(bundle, in: transaction).flatMap { try Catalogue.product(id, of: $0.id, in: transaction) }
        }
        if let known, known.kind != .autoRenewable {
            throw SKTestError(.invalidProductType, "\(product) is no subscription that renews.")
        }
        let found = try await changes.list(.init(customer: customer, product: id, limit: Self.longestList))
        guard let running = found.first(where: { $0.state.isLive }) else { throw missing }
        return running
    }

    /// The subscription that a transaction belongs to.
    func subscription(of identifier: Int) async throws -> StoredSubscription {
        let (id, owner) = (try transactionID(identifier), customer)
        return try await store.database.read { transaction in
            guard let found = try Transactions.find(id, in: transaction), found.customerID == owner else {
                throw Self.unknown(identifier)
            }
            guard found.kind == .autoRenewable else {
                throw SKTestError(
                    .invalidProductType, "The transaction \(identifier) is of \(found.productID), which does not renew."
                )
            }
            guard
                let subscription = try Subscriptions.find(
                    SubscriptionID(beganWith: found.originalID), in: transaction)
            else {
                throw SKTestError(.noSubscriptionFound, "The transaction \(identifier) has no subscription.")
            }
            return subscription
        }
    }

    // MARK: Ask to Buy

    func setAsksToBuy(_ asks: Bool) async throws {
        _ = try await Accounts(store).change(customer.description, .init(asksToBuy: asks), store.cause(.owner))
    }

    /// Returns what the device knows the purchase by.
    func decide(_ identifier: Int, isApproved: Bool) async throws -> PurchaseKey {
        let id = customer
        let found = try await store.database.read { transaction in
            try PurchaseID(String(identifier)).flatMap { try Purchases.find($0, in: transaction) }
        }
        guard let found, found.customer == id else { throw Self.unknown(identifier) }
        guard found.state == .approval else {
            throw SKTestError(.invalidAction, "The purchase \(identifier) does not wait for a yes.")
        }
        _ = try await AskToBuy(store).decide(named: found.id.description, isApproved: isApproved, cause)
        return found.key
    }

    /// Says as a test does what the store refuses.
    private func refusing(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as ServiceError where [.tooLate, .productUnavailable].contains(error.code) {
            throw SKTestError(.invalidAction, "This has no place now: \(error.message)")
        }
    }
}
