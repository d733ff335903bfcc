import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Prices that change for those who subscribe already.
extension SubscriptionChanges {
    /// What became of a higher price.
    package struct Raise: Hashable, Sendable {
        /// How many subscriptions it reaches, and how many of them need consent.
        package var count = 0
        package var needingConsent = 0
        /// How many it does not reach, because they were asked for consent in the period that counts now.
        package var askedAlready = 0
    }

    /// Brings the price that a product has now, by the clock of each customer, to those who subscribe already in a storefront
    /// and pay less.
    ///
    /// New subscribers pay what the catalogue says. Those who subscribe already keep their price until this is done; they are
    /// asked for consent where the rules of ``PriceIncrease`` want it, once in a period at most. Repeated, it reaches those
    /// whom it did not reach yet.
    ///
    /// - Parameter consent: whether consent is asked for; nil to go by the rules.
    package func raise(
        _ product: ProductID, of bundle: BundleID, in storefront: StorefrontRecord, consent: Bool?,
        _ cause: ChangeCause
    ) async throws -> Raise {
        // Prices are the work of developers.
        let cause = cause.working(on: .catalogue)
        let (item, prices) = try await prices(of: product, of: bundle, in: storefront)
        var (raise, last) = (Raise(), SubscriptionID?.none)
        guard let highest = prices.highest else { return raise }
        while true {
            let after = last
            let page = try await store.database.read {
                try Subscriptions.paying(
                    lessThan: highest, for: item, in: StorefrontCode(storefront), after: after, limit: Self.page, $0)
            }
            for id in page {
                switch try await self.raise(id, to: prices, consent: consent, cause) {
                case .none: continue
                case .told: raise.count += 1
                case .asked:
                    raise.count += 1
                    raise.needingConsent += 1
                case .later: raise.askedAlready += 1
                }
            }
            guard page.count == Self.page else { return raise }
            last = page.last
        }
    }

    private static let page = 200

    // Closed: each is counted.
    private enum RaiseOutcome {
        /// It was raised already, or does not run any more.
        case none
        case told, asked
        /// The customer was asked in this period already.
        case later
    }

    private func raise(
        _ id: SubscriptionID, to prices: PriceTimeline, consent: Bool?, _ cause: ChangeCause
    ) async throws -> RaiseOutcome {
        try await store.database.write { transaction in
            let stored = try Subscriptions.require(id, in: transaction)
            let plan = stored.rules.plan
            let change = try cause.change(of: stored.scope.customer, in: transaction)
            guard let price = prices.price(at: change.commerce), price.currency == plan.price.currency,
                stored.state.isLive, stored.rules.increase?.price != price,
                plan.price.minorUnits < price.minorUnits
            else { return .none }
            let needed =
                consent
                ?? PriceIncrease.needsConsent(
                    from: plan.price, to: price, of: plan.period, lastAt: stored.raisedAt, at: change.commerce)
            if needed, stored.wasAskedForConsent(at: change.commerce) { return .later }
            let increase = PriceIncrease(price: price, needsConsent: needed, askedAt: change.commerce)
            try Subscriptions.handle(.raised(increase), of: stored, change)
            return needed ? .asked : .told
        }
    }

    /// The prices of a subscription that is sold in a storefront.
    private func prices(
        of product: ProductID, of bundle: BundleID, in storefront: StorefrontRecord
    ) async throws -> (ItemID, PriceTimeline) {
        let (now, environment) = (store.clocks.now, store.environment)
        return try await store.catalogue.read { transaction in
            guard let app = try Catalogue.app(bundle, in: transaction) else {
                throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
            }
            let found = try Catalogue.listings(
                for: [product.text], app: app, environment: environment, storefront: storefront, languages: [],
                at: CatalogueMoment(commerce: now.commerce, wall: now.wall), in: transaction)
            let prices = try PriceTimeline.of(product, app: app.id, in: storefront, environment, transaction)
            guard let listing = found.listings.first, listing.product.kind == .autoRenewable, let prices else {
                let reason = found.invalid.first.map { ": \($0.explanation)" } ?? ""
                throw ServiceError(
                    .productUnavailable, "\(product) is no subscription that is sold there\(reason)",
                    parameter: "productId")
            }
            return (listing.product.itemID, prices)
        }
    }

    /// Asks the customer to agree to what the product costs now, or to the price as it is if that did not rise. Only in the
    /// sandbox.
    package func requestConsent(_ id: SubscriptionID, _ cause: ChangeCause) async throws -> StoredSubscription {
        try store.requireSandbox("only in the sandbox a customer is asked to agree to a price that did not rise")
        let found = try await store.database.read { try Subscriptions.require(id, in: $0) }
        let (_, prices) = try await prices(
            of: found.rules.plan.product, of: found.scope.bundle,
            in: found.scope.storefront.known(parameter: "storefront"))
        return try await renewals.change(id, cause) { stored, _, change in
            if let increase = stored.rules.increase, !increase.holds {
                throw ServiceError(.tooLate, "the customer was asked already to agree to \(increase.price)")
            }
            let paid = stored.rules.plan.price
            let current = prices.price(at: change.commerce)
            let higher = current.flatMap { $0.currency == paid.currency && $0.minorUnits > paid.minorUnits ? $0 : nil }
            let increase = PriceIncrease(price: higher ?? paid, needsConsent: true, askedAt: change.commerce)
            return try Self.handling { try Subscriptions.handle(.raised(increase), of: stored, change).charge }
        }
    }
}

extension Subscriptions {
    /// Those of a product in a storefront that pay less for it than a price.
    static func paying(
        lessThan price: Money, for item: ItemID, in storefront: StorefrontCode, after id: SubscriptionID?, limit: Int,
        _ transaction: any ReadTransaction
    ) throws -> [SubscriptionID] {
        try transaction.query(
            """
            SELECT original_id FROM subscription
            WHERE item_id = $1 AND original_id > $2 AND currency = $3 AND price < $4 AND \(Subscription.State.live)
                AND storefront = $5
            ORDER BY original_id LIMIT $6
            """, item, id?.number ?? 0, price.currency, price.minorUnits, storefront, limit
        ) { try $0.value(0) }
    }
}
