import StoreCatalogue
import StoreDatabase
import StoreHTTP
package import StoreModel
import StoreRules

/// Batches of codes for offers: made by developers, redeemed by customers.
package struct OfferCodeBatches: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// What a new batch of codes is to be.
    package struct NewBatch: Sendable {
        package let product: ProductID
        package let offer: String
        /// One that is good for many customers; nil for one-time codes.
        package let custom: String?
        /// How many codes, or how many redemptions of the custom one.
        package let count: Int
        /// When they end; nil for the latest moment, of custom ones never.
        package let expiresAt: Instant?

        package init(product: ProductID, offer: String, custom: String?, count: Int, expiresAt: Instant?) {
            self.product = product
            self.offer = offer
            self.custom = custom
            self.count = count
            self.expiresAt = expiresAt
        }
    }

    /// An app of the catalogue.
    private func app(_ bundle: BundleID) async throws -> CatalogueApp {
        guard let app = try await store.catalogue.lookUp({ try Catalogue.app(bundle, in: $0) }) else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        return app
    }

    /// Makes codes of an offer.
    package func makeCodes(
        _ wanted: NewBatch, app bundle: BundleID, _ cause: ChangeCause
    ) async throws -> OfferCodes.Batch {
        try cause.require(.secrets)
        let app = try await app(bundle)
        let product = try await store.catalogue.lookUp { [environment = store.environment] transaction in
            guard let product = try Catalogue.product(wanted.product, of: app.id, in: transaction) else {
                throw ServiceError(.productUnknown, "the app has no product \(wanted.product)", parameter: "productId")
            }
            let offers = try SubscriptionOffers.list(of: product, in: environment, transaction)
            guard offers.contains(where: { $0.id == wanted.offer && $0.kind == .code }) else {
                throw ServiceError(
                    .invalidOfferIdentifier, "\(wanted.product) has no offer \(wanted.offer) of the kind code",
                    parameter: "offerId")
            }
            return product
        }
        let now = store.clocks.now(by: try await environmentClock()).commerce
        let limit = now.adding(.oneMonth, times: OfferCodes.mostMonths)
        if let end = wanted.expiresAt, end <= now {
            throw ServiceError(.valueInvalid, "it is over already", parameter: "expiresAt")
        }
        if wanted.custom == nil, let end = wanted.expiresAt, end > limit {
            throw ServiceError(
                .valueInvalid, "one-time codes are good for \(OfferCodes.mostMonths) months at most",
                parameter: "expiresAt")
        }
        guard wanted.custom == nil || (1...OfferCodes.mostRedemptions).contains(wanted.count) else {
            throw ServiceError(
                .valueInvalid, "a custom code is redeemed 1 to \(OfferCodes.mostRedemptions) times", parameter: "count")
        }
        let codes =
            try wanted.custom.map { [try OfferCodes.custom($0)] } ?? OfferCodes.drawn(wanted.count, store.random)
        let draft = OfferCodes.Draft(
            app: app.id, item: product.itemID, product: product.productID, offer: wanted.offer, codes: codes,
            isCustom: wanted.custom != nil, total: wanted.count,
            expiresAt: wanted.expiresAt ?? (wanted.custom == nil ? limit : nil))
        let id = try OfferCodeBatchID(number: await store.numbers.next(.codeBatches))
        return try await store.database.write { transaction in
            try OfferCodes.insert(draft, as: id, at: now, in: transaction)
            return try OfferCodes.batch(id, of: app.id, in: transaction)
        }
    }

    private func environmentClock() async throws -> CustomerClock? {
        try await store.database.lookUp { try CustomerClock.find(.environment, in: $0) }
    }

    /// The moment by which codes of the environment end.
    package func now() async throws -> Instant { store.clocks.now(by: try await environmentClock()).commerce }

    package func codes(app bundle: BundleID) async throws -> [OfferCodes.Batch] {
        let app = try await app(bundle)
        return try await store.database.read { try OfferCodes.list(of: app.id, in: $0) }
    }

    package func codes(
        of batch: OfferCodeBatchID, app bundle: BundleID
    ) async throws -> (batch: OfferCodes.Batch, codes: [OfferCodes.Code]) {
        let app = try await app(bundle)
        return try await store.database.read { transaction in
            let batch = try OfferCodes.batch(batch, of: app.id, in: transaction)
            return (batch, try OfferCodes.codes(of: batch, in: transaction))
        }
    }

    /// Lets no code of a batch be redeemed any more. What was redeemed stays.
    package func deactivate(
        _ batch: OfferCodeBatchID, app bundle: BundleID, _ cause: ChangeCause
    ) async throws -> OfferCodes.Batch {
        try cause.require(.secrets)
        let app = try await app(bundle)
        return try await store.database.write { try OfferCodes.deactivate(batch, of: app.id, in: $0) }
    }

    // MARK: Redeeming

    /// The batch of a code that somebody typed.
    func batch(of text: String, app: AppID) async throws -> (code: String, batch: OfferCodes.Batch) {
        guard let code = OfferCodes.normal(text) else { throw OfferCodes.unknown }
        let found = try await store.database.lookUp { try OfferCodes.find(code, of: app, in: $0) }
        guard let found else { throw OfferCodes.unknown }
        return (code, found)
    }

    /// What a code is good for, for a device whose person typed it: the product that is bought with it next.
    package func lookUp(_ text: String, as token: DeviceToken) async throws -> OfferCodes.Batch {
        let scope = try await store.scope(of: token)
        return try await guessing(on: scope.device) {
            let (code, batch) = try await batch(of: text, app: scope.app)
            let now = store.clocks.now(by: scope.clock).commerce
            let customer = scope.customer == nil ? nil : try scope.requireCustomerScope()
            try await store.database.read { transaction in
                if let customer { try OfferCodes.require(code, for: customer, at: now, in: transaction) }
            }
            if let obstacle = batch.obstacle(at: now) {
                throw obstacle.refusal(parameter: "code")
            }
            return batch
        }
    }

    /// Lets a device try a code, unless it has tried too many that there are not.
    func guessing<Result: Sendable>(
        on device: DeviceID, _ body: () async throws -> Result
    ) async throws -> Result {
        try await guessing(.codesOnDevice(device), at: .device(device), body)
    }

    /// The same for a customer on a page.
    func guessing<Result: Sendable>(
        as customer: CustomerID, from peer: PeerAddress, _ body: () async throws -> Result
    ) async throws -> Result {
        try await guessing(.codesOfCustomer(customer), at: .page(peer), body)
    }

    private func guessing<Result: Sendable>(
        _ subject: GuessSubject, at place: GuessPlace, _ body: () async throws -> Result
    ) async throws -> Result {
        let outcome = try await store.guesses.guess(at: place, of: subject) { () -> Result? in
            do {
                return try await body()
            } catch let refusal as ServiceError where refusal.code == .codeUnknown {
                return nil
            }
        }
        guard let outcome else { throw OfferCodes.unknown }
        return outcome
    }

    /// Redeems a code for a customer whom no device asks for.
    package func redeem(
        _ text: String, for customer: String, app bundle: BundleID, key: PurchaseKey?, _ cause: ChangeCause
    ) async throws -> (status: SaleStatus, isNew: Bool) {
        let (code, batch) = try await batch(of: text, app: app(bundle).id)
        let selection = try Checkout.Selection(
            product: batch.product.text, quantity: nil, accountToken: nil, offer: .code(code))
        return try await Checkout(store).sell(selection, to: customer, app: bundle, key: key, cause)
    }
}
