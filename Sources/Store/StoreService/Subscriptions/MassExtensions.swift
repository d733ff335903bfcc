import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// An extension of all who subscribe to a product, as it is kept: a row of `mass_extension`.
package struct StoredMassExtension: Hashable, Sendable {
    package let id: MassExtensionID
    package let app: AppID
    package let bundle: BundleID
    package let item: ItemID
    package let product: ProductID
    package let request: ExtensionRequest
    /// The storefronts of those who are meant; nil for all.
    package let storefronts: [StorefrontCode]?
    /// By the wall clock, as is ``completedAt``.
    package let askedAt: Instant
    /// The last subscription that it has come to.
    fileprivate(set) var reached: Int64
    package fileprivate(set) var succeeded: Int
    package fileprivate(set) var failed: Int
    package fileprivate(set) var completedAt: Instant?
    package let actor: String

    static let table = RowTable<StoredMassExtension>("mass_extension") {
        Column("id", .key) { $0.id }
        Column("app_id") { $0.app }
        Column("bundle_id") { $0.bundle }
        Column("item_id") { $0.item }
        Column("product_id") { $0.product }
        Column("request_identifier") { $0.request.identifier }
        Column("days") { $0.request.days }
        Column("reason") { $0.request.reason }
        Column("storefronts") { $0.storefronts?.map(\.rawValue).joined(separator: " ") }
        Column("asked_at") { $0.askedAt }
        // It only grows: two turns that come to the same page change it once.
        Column("reached", .version) { $0.reached }
        Column("succeeded", .changing) { $0.succeeded }
        Column("failed", .changing) { $0.failed }
        Column("completed_at", .changing) { $0.completedAt }
        Column("actor") { $0.actor }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        (id, app, bundle) = try (cells.next(), cells.next(), cells.next())
        (item, product) = try (cells.next(), cells.next())
        let identifier = try cells.next(as: String.self)
        request = try ExtensionRequest(days: cells.next(), reason: cells.next(), identifier: identifier)
        storefronts = try cells.next(as: String?.self).map {
            $0.split(separator: " ").map { StorefrontCode(rawValue: String($0)) }
        }
        (askedAt, reached, succeeded, failed) = try (cells.next(), cells.next(), cells.next(), cells.next())
        (completedAt, actor) = try (cells.next(), cells.next())
    }

    fileprivate init(
        _ id: MassExtensionID, of product: CatalogueProduct, _ bundle: BundleID, by request: ExtensionRequest,
        in storefronts: [StorefrontCode]?, at wall: Instant, _ actor: Actor
    ) {
        self.bundle = bundle
        (self.id, app, item, self.product) = (id, product.appID, product.itemID, product.productID)
        (self.request, self.storefronts, askedAt) = (request, storefronts, wall)
        (reached, succeeded, failed) = (0, 0, 0)
        self.actor = actor.text
    }
}

/// Extensions of all who subscribe to a product of an app: work that goes through them page by page.
///
/// What becomes of a page is in the same transaction as the note of how far it has come, so that everybody is extended once,
/// whatever ends in the middle.
package struct MassExtensions: Sendable {
    /// The kind of work.
    package static let work = "mass-extension"

    private let store: EnvironmentStore
    private let page: Int

    /// - Parameter page: how many subscriptions one turn comes to.
    package init(_ store: EnvironmentStore, page: Int = 100) {
        self.store = store
        self.page = page
    }

    /// Begins to extend all active subscribers of a product. Asked for again under the same identifier, it has no second
    /// effect.
    ///
    /// - Parameter storefronts: only those of these; nil for all.
    package func begin(
        _ product: String?, of app: AppID, by request: ExtensionRequest, in storefronts: [String]?,
        _ cause: ChangeCause
    ) async throws -> StoredMassExtension {
        try cause.require(.customers)
        guard UUID(uuidString: request.identifier) != nil else {
            throw ServerAPIError(.invalidRequestIdentifier, "requestIdentifier is a UUID here")
        }
        let codes = try storefronts.map(Self.codes)
        let (sold, bundle) = try await self.product(product, of: app)
        let wanted = StoredMassExtension(
            try MassExtensionID(number: await store.numbers.next(.massExtensions)), of: sold, bundle, by: request,
            in: codes,
            at: store.clocks.wall(), cause.actor)
        return try await store.database.write { transaction in
            let known = try Self.find(request.identifier, for: sold.productID, of: app, in: transaction)
            if let known { return known }
            try transaction.insert(wanted, into: StoredMassExtension.table)
            try WorkTable.schedule(
                Work(Self.work, wanted.id.description, dueAt: wanted.askedAt, clock: .wall), in: transaction)
            try WorkLoop.signal(dueAt: wanted.askedAt, by: wanted.askedAt, in: transaction)
            return wanted
        }
    }

    private static func codes(_ storefronts: [String]) throws(ServerAPIError) -> [StorefrontCode] {
        guard !storefronts.isEmpty else {
            throw ServerAPIError(.emptyStorefronts, "storefrontCountryCodes names none; leave it out for all")
        }
        for code in storefronts where StorefrontRecord.storefront(alpha3: code) == nil {
            throw ServerAPIError(.invalidStorefront, "\(code) is the code of no storefront")
        }
        return Set(storefronts).sorted().map { StorefrontCode(rawValue: $0) }
    }

    private func product(_ text: String?, of app: AppID) async throws -> (CatalogueProduct, BundleID) {
        let (found, bundle) = try await store.catalogue.read { transaction in
            (
                try text.flatMap { ProductID($0) }.flatMap { try Catalogue.product($0, of: app, in: transaction) },
                try Catalogue.app(app, in: transaction)?.bundleID
            )
        }
        guard let found, let bundle, found.kind == .autoRenewable else {
            throw ServerAPIError(.invalidProductID, "the app has no subscription \(text ?? "without an id")")
        }
        return (found, bundle)
    }

    /// How far an extension has come.
    package func find(
        _ identifier: String, for product: ProductID, of app: AppID
    ) async throws -> StoredMassExtension {
        let found = try await store.database.read {
            try Self.find(identifier, for: product, of: app, in: $0)
        }
        guard let found else {
            throw ServerAPIError(
                .statusRequestNotFound, "no extension of \(product) was asked for under \(identifier)")
        }
        return found
    }

    private static func find(
        _ identifier: String, for product: ProductID, of app: AppID, in transaction: any ReadTransaction
    ) throws -> StoredMassExtension? {
        try transaction.optional(
            """
            SELECT \(StoredMassExtension.table.columns) FROM mass_extension
            WHERE app_id = $1 AND product_id = $2 AND request_identifier = $3
            """, app, product, identifier, row: StoredMassExtension.init)
    }

    // MARK: Work

    /// Extends the subscriptions of the next page, and is due again at once until there is none.
    func turn(_ turn: WorkTurn) async throws -> WorkOutcome {
        guard let id = MassExtensionID(turn.work.subject) else { return .done }
        let (cause, wall) = (store.cause(.store), store.clocks.wall())
        let (page, environment) = (page, store.environment)
        return try await store.database.write { transaction in
            let found = try transaction.optional(
                "SELECT \(StoredMassExtension.table.columns) FROM mass_extension WHERE id = $1", id,
                row: StoredMassExtension.init)
            guard let known = found, known.completedAt == nil else { return .done }
            let subscribers = try Self.subscribers(of: known, limit: page, in: transaction)
            var changed = known
            for stored in subscribers {
                let change = try cause.change(of: stored.scope.customer, in: transaction)
                try change.requireArrival()
                try Self.extend(stored, &changed, change)
            }
            if let last = subscribers.last { changed.reached = last.id.number }
            let isOver = subscribers.count < page
            if isOver { changed.completedAt = wall }
            try transaction.update(changed, from: known, in: StoredMassExtension.table)
            if isOver { try Self.tell(changed, in: environment, cause.change(of: nil, in: transaction)) }
            try turn.settle(isOver ? .done : .again(at: turn.at), in: transaction)
            return .settled
        }
    }

    /// Those who are next: whose newest period is of the product and runs.
    private static func subscribers(
        of known: StoredMassExtension, limit: Int, in transaction: any ReadTransaction
    ) throws -> [StoredSubscription] {
        let codes = known.storefronts?.map(\.rawValue) ?? []
        return try transaction.query(
            """
            SELECT \(StoredSubscription.table.columns) FROM subscription
            WHERE item_id = $1 AND original_id > $2 AND \(Subscription.State.condition { $0 == .active })
                AND ($3 = '' OR $3 LIKE '% ' || storefront || ' %')
            ORDER BY original_id LIMIT $4
            """, known.item, known.reached, codes.isEmpty ? "" : " \(codes.joined(separator: " ")) ", limit,
            row: StoredSubscription.init)
    }

    /// Extends one, or counts why not.
    private static func extend(
        _ stored: StoredSubscription, _ mass: inout StoredMassExtension, _ change: Change
    ) throws {
        do {
            _ = try Subscriptions.extend(stored, by: mass.request, for: mass, change)
            mass.succeeded += 1
        } catch is ServerAPIError {
            mass.failed += 1
            try Notifications.tell([SubscriptionNotice(.renewalExtension, .failure)], of: stored, change)
        }
    }

    /// Tells the developer's server that all were extended who could be.
    private static func tell(
        _ done: StoredMassExtension, in environment: StoreEnvironment, _ change: Change
    ) throws {
        try Notifications.append(
            .renewalExtension, .summary, about: NotificationSubject(app: done.app), change
        ) {
            var content = NotificationContent(bundleId: done.bundle)
            content.appAppleId = environment == .production ? done.app : nil
            content.summary = NotificationSummaryData(
                environment: WireEnvironment(environment), appAppleId: content.appAppleId, bundleId: done.bundle,
                productId: done.product, requestIdentifier: done.request.identifier,
                storefrontCountryCodes: done.storefronts, succeededCount: done.succeeded, failedCount: done.failed)
            return content
        }
    }
}
