package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// Finds out what of some ids can be sold to a customer, in which words and at which price, or why not.
package struct ProductLookup: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The number of the newest change of the catalogue. What is looked up after this was read is never older than it.
    package func revision() async throws -> Int64 {
        try await store.catalogue.lookUpOnce { try CatalogueAudit.last(in: $0) }
    }

    /// What the app of a device can sell, in the storefront of the device or in another.
    ///
    /// - Parameter times: when; now by the clock of whoever is signed in on the device if it is nil.
    package func listings(
        _ ids: [String], for scope: DeviceScope, in storefront: StorefrontCode? = nil, at times: StoreTimes? = nil
    ) async throws -> ProductListings {
        // A wrong profile makes every id an invalid one; it is no error of the request.
        let found = try await listings(
            ids, of: scope.app, in: storefront ?? scope.storefront, language: scope.language,
            at: times ?? store.clocks.now(by: scope.clock)
        ) { app in
            ProductObstacle.profile(scope.profileRevision, capabilities: app.capabilitiesRevision)
        }
        await store.steps.see(.products, of: scope.app)
        let wrong = found.invalid.first.map { "\($0.id.prefix(100)): \($0.explanation)" }
        await store.steps.see(.valid, of: scope.app, wrong: wrong)
        return found
    }

    /// What an app can sell to a customer whom no device asks for.
    func listings(_ ids: [String], for scope: CustomerScope) async throws -> ProductListings {
        let clock = try await store.database.lookUp { try CustomerClock.of(scope.customer, in: $0) }
        return try await listings(
            ids, of: scope.app, in: scope.storefront, language: Self.operatorLanguage, at: store.clocks.now(by: clock)
        ) { _ in nil }
    }

    private static let operatorLanguage = "en-US"

    private func listings(
        _ ids: [String], of app: AppID, in storefront: StorefrontCode, language: String, at times: StoreTimes,
        obstacle: @escaping @Sendable (CatalogueApp) -> ProductObstacle?
    ) async throws -> ProductListings {
        let (storefront, environment) = (try storefront.known(), store.environment)
        let moment = CatalogueMoment(commerce: times.commerce, wall: times.wall, delay: store.policy.propagation)
        let find = { @Sendable (transaction: any ReadTransaction) throws in
            guard let app = try Catalogue.app(app, in: transaction) else {
                throw ServiceError(.appUnknown, "the app of this device is gone")
            }
            if let obstacle = try obstacle(app) ?? Catalogue.obstacle(of: app, at: moment.wall, in: transaction) {
                return ProductListings(nothingOf: ids, obstacle)
            }
            var found = try Catalogue.listings(
                for: ids, app: app, environment: environment, storefront: storefront, languages: [language],
                at: moment, in: transaction)
            let agreements = try Agreements.list(of: app.teamID, in: transaction)
            found.end(atWall: agreements.compactMap(\.endsAt), after: moment.wall)
            return found
        }
        return try await ids.count == 1 ? store.catalogue.lookUp(find) : store.catalogue.read(find)
    }

    /// What a customer reads of what is sold; nil of what the catalogue has no text of any more.
    ///
    /// - Parameter language: that of the device.
    package func text(
        of item: ItemID, of app: AppID, readIn language: String, in storefront: StorefrontRecord
    ) async throws -> CustomerText? {
        let environment = store.environment
        return try await store.catalogue.lookUp { transaction in
            try Catalogue.text(
                of: item, readIn: language, in: storefront, of: Catalogue.app(app, in: transaction), environment,
                in: transaction)
        }
    }

    /// Throws if nothing of StoreKit works in an app: what is not sold is not restored either.
    func requireServed(_ id: AppID) async throws {
        let (now, environment) = (store.clocks.wall(), store.environment)
        try await store.catalogue.lookUp { transaction in
            guard let app = try Catalogue.app(id, in: transaction) else { return }
            if let obstacle = try Catalogue.obstacle(of: app, at: now, in: transaction), obstacle.blocksApp {
                throw Self.refusal(of: obstacle, environment)
            }
        }
    }

    private static func refusal(of obstacle: ProductObstacle, _ environment: StoreEnvironment) -> ServiceError {
        ServiceError(
            .appBlocked,
            environment == .sandbox ? obstacle.explanation : "the store does not serve this app at the moment")
    }

    /// The one product that is to be sold, in the quantity that is wanted; throws what is in the way.
    func item(
        _ id: String, quantity: Int, among found: ProductListings, in storefront: StorefrontCode
    ) throws -> SoldItem {
        guard let listing = found.listings.first else {
            let invalid = found.invalid.first
            if let obstacle = invalid?.obstacle, obstacle.blocksApp {
                throw Self.refusal(of: obstacle, store.environment)
            }
            let isKnown = invalid?.obstacle.isOfKnownProduct(in: store.environment) ?? false
            let reason = store.environment == .sandbox ? invalid.map { ": \($0.explanation)" } ?? "" : ""
            throw ServiceError(
                isKnown ? .productUnavailable : .productUnknown, "this product cannot be bought here\(reason)",
                parameter: "productId")
        }
        let item = SoldItem(listing, storefront)
        guard quantity == 1 || !item.kind.isOwnedOnce else {
            throw ServiceError(
                .quantityOutOfRange,
                "a \(item.kind == .nonConsumable ? "non-consumable" : "subscription") can only be bought one at a time",
                parameter: "quantity")
        }
        return item
    }
}

extension StorefrontCode {
    /// The storefront of this code, or the refusal of a code that no storefront has.
    package func known(parameter: String = "countryCode") throws -> StorefrontRecord {
        guard let storefront else {
            throw ServiceError(
                .storefrontUnknown, "there is no storefront of this code; codes have three letters, as in USA",
                parameter: parameter)
        }
        return storefront
    }
}
