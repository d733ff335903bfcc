package import StoreDatabase
package import StoreModel

/// What those do with the catalogue who prepare and review it: every function is a whole use case, for routes, pages and
/// commands alike.
///
/// It finds what is meant among what the actor may see, decides, writes and notes, all in one transaction:
///
/// ```swift
/// let editing = CatalogueEditing(catalogue, by: actor, request: request.name, now: now)
/// let details = try await editing.setBasePrice(price, of: ProductPath(bundle, product))
/// ```
package struct CatalogueEditing: Sendable {
    let database: any Database
    let actor: Actor
    let request: String?
    /// The time of the wall clock.
    let now: @Sendable () -> Instant
    /// The time by which those prices and offers hold that are shown.
    let commerce: @Sendable () -> Instant
    let numbers: Numbers
    /// Whether production sells at once by what is changed, instead of after its publication.
    private(set) var publishes = false

    /// - Parameters:
    ///   - numbers: the numbers of what is entered; those of the database without them.
    ///   - commerce: the clock of the environment whose prices are shown; that of the wall without one.
    package init(
        _ database: any Database, by actor: Actor, request: String?, numbers: Numbers? = nil,
        now: @escaping @Sendable () -> Instant, commerce: (@Sendable () -> Instant)? = nil
    ) {
        self.database = database
        self.actor = actor
        self.request = request
        self.now = now
        self.commerce = commerce ?? now
        self.numbers = numbers ?? Numbers(database)
    }

    /// What a change is done by that happens now.
    var cause: CatalogueCause { CatalogueCause(actor, request: request, publishes: publishes, at: now()) }

    /// The same, whose changes of what is live are published with what makes them. See ``CatalogueDrafts``.
    package func publishing(_ publishes: Bool = true) -> CatalogueEditing {
        var editing = self
        editing.publishes = publishes
        return editing
    }

    /// Reads the catalogue, for those whose role includes the work.
    func read<Result: Sendable>(
        for work: OperatorWork = .catalogue, _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result {
        try actor.require(work, change: false, in: .both)
        return try await database.read { try body($0) }
    }

    /// Changes the catalogue, for those whose role includes the work. What takes effect in one environment, or in what
    /// production sells, is required by what is called.
    func write<Result: Sendable>(
        for work: OperatorWork = .catalogue,
        _ body: @escaping @Sendable (CatalogueChange) throws -> Result
    ) async throws -> Result {
        try actor.require(work, in: .both)
        let cause = cause
        return try await database.write { try body(cause.change(in: $0)) }
    }
}

/// Where a product is found: an app and the id by which that asks for it.
package struct ProductPath: Hashable, Sendable {
    package let app: BundleID
    package let product: ProductID

    package init(_ app: BundleID, _ product: ProductID) {
        self.app = app
        self.product = product
    }
}

extension CatalogueEditing {
    /// The app of a bundle id, if it is of the actor's team.
    func app(_ id: BundleID, in transaction: any ReadTransaction) throws -> CatalogueApp {
        guard let app = try Catalogue.app(id, in: transaction) else {
            let named = actor.team == nil ? try StoreItem.find(id.text, in: transaction) : nil
            let hint = named.map { ": \(id) is the store id of \($0.bundleID)" } ?? ""
            throw CatalogueError(.appUnknown, "there is no app of this bundle id\(hint)", field: "bundleId")
        }
        guard actor.team == nil || app.teamID == actor.team else {
            throw CatalogueError(.appUnknown, "the team has no app of this bundle id", field: "bundleId")
        }
        return app
    }

    /// The product of a path for those who only look at it: also one whose removal waits for its publication.
    func shown(_ path: ProductPath, in transaction: any ReadTransaction) throws -> CatalogueProduct {
        let app = try app(path.app, in: transaction)
        let found = try Catalogue.product(path.product, of: app.id, in: transaction)
        guard let found, found.awaitsRemoval else { return try product(path, in: transaction) }
        return found
    }

    /// The product of a path, if it was not removed.
    func product(_ path: ProductPath, in transaction: any ReadTransaction) throws -> CatalogueProduct {
        let app = try app(path.app, in: transaction)
        let found = try Catalogue.product(path.product, of: app.id, in: transaction)
        guard found?.awaitsRemoval != true else {
            throw CatalogueError(
                .productUnknown,
                "it was removed, which waits for its publication; till catalogue discard takes that back",
                field: "productId")
        }
        guard let product = found, product.removedAt == nil else {
            throw CatalogueError(.productUnknown, "the app has no product of this id", field: "productId")
        }
        return product
    }

    /// The app of a bundle id.
    package func app(_ id: BundleID) async throws -> CatalogueApp { try await read { try app(id, in: $0) } }

    /// The product of a path.
    package func product(_ path: ProductPath) async throws -> CatalogueProduct {
        try await read { try shown(path, in: $0) }
    }

    /// Changes an app.
    func change<Result: Sendable>(
        _ id: BundleID, for work: OperatorWork = .catalogue,
        _ body: @escaping @Sendable (CatalogueApp, CatalogueChange) throws -> Result
    ) async throws -> Result {
        try await write(for: work) { try body(app(id, in: $0.transaction), $0) }
    }

    /// Changes a product, and gives it as it is then.
    func change(
        _ path: ProductPath, for work: OperatorWork = .catalogue,
        _ body: @escaping @Sendable (CatalogueProduct, CatalogueChange) throws -> Void
    ) async throws -> ProductDetails {
        let commerce = commerce()
        return try await write(for: work) { change in
            try body(product(path, in: change.transaction), change)
            return try Catalogue.details(
                of: product(path, in: change.transaction), at: commerce, in: change.transaction)
        }
    }
}
