package import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules
import StoreSigning

/// How an environment is at the moment: what was sold today, and what needs somebody.
package struct StoreOverview: Sendable {
    /// Transactions that a version of an app has not finished.
    package struct Unfinished: Hashable, Sendable {
        package let bundle: BundleID
        package let version: String?
        package let count: Int
        package let oldest: Instant
    }

    /// A product that is not sold, and why.
    package struct Unsold: Hashable, Sendable {
        package let bundle: BundleID
        /// Nil for all of the app.
        package let product: ProductID?
        package let obstacle: ProductObstacle
    }

    /// A product that some storefronts do not sell.
    package struct Withdrawn: Hashable, Sendable {
        package let bundle: BundleID
        package let product: ProductID
        package let storefronts: [StorefrontCode]
    }

    /// A key that opens or signs nothing any more from an instant on, and what replaces it.
    package struct Ending: Hashable, Sendable {
        package let name: String
        package let endsAt: Instant
        /// The command, after `till`.
        package let remedy: String
    }

    /// What was sold in an hour of the last day, the oldest first; 24 of them.
    package struct Hour: Hashable, Sendable {
        package var bought = 0
        package var failed = 0
    }

    package let apps: Int
    package let canSell: Bool
    package let unfinished: [Unfinished]
    package let open: Int
    package let oldestOpen: Instant?
    /// Charges without an answer of the processor.
    package let unanswered: Int
    package let failedRefunds: [TransactionID]
    /// Requests for refunds that somebody has to decide, and since when the oldest waits.
    package let refundRequests: (count: Int, oldest: Instant?)
    /// Certificates and tokens that end soon, or have ended, the first first.
    package let endings: [Ending]
    package let unsold: [Unsold]
    /// Products that are sold where most customers are, and taken from sale in some storefronts.
    package let withdrawn: [Withdrawn]
    /// Pictures and content that are damaged or missing, those that were found first.
    package let damagedBlobs: [BlobDamage]
    /// What waits for a reviewer, for both environments.
    package let reviews: ReviewLoad
    package let subscriptions: SubscriptionFigures
    /// By currency, the largest number of purchases first.
    package let sold: [(total: Money, count: Int)]
    package let hours: [Hour]

    /// How many of the newest transactions are looked through for what was sold today and what is unfinished.
    package static let window = 5_000
    /// How long an app may take to finish a transaction.
    package static let patience = Duration.seconds(60 * 60)
    /// How long before its end a token is named, and how long after.
    private static let tokenNotice = (
        before: Duration.seconds(14 * 24 * 60 * 60), after: Duration.seconds(7 * 24 * 60 * 60)
    )
    /// Products that are looked at.
    private static let products = 200
    private static let apps = 50
    /// Damaged blobs that are named.
    private static let damaged = 20

    package init(of store: EnvironmentStore) async throws {
        let now = store.clocks.commerce()
        let start = now - .seconds(24 * 60 * 60)
        (apps, unsold) = try await Self.unsold(of: store)
        let refused = Set(unsold.compactMap(\.product))
        damagedBlobs = try await store.catalogue.read { try BlobDamage.known(limit: Self.damaged, in: $0) }
        let environment = store.environment
        withdrawn = try await store.catalogue.read { try Self.withdrawn(in: environment, $0) }.filter {
            !refused.contains($0.product)
        }
        reviews = try await store.catalogue.read { try ReviewLoad(in: $0) }
        canSell = !store.processor.form.isMissing
        endings = try await Self.endings(of: store)
        let books = try await store.database.read { try Books(from: start, to: now, in: $0) }
        (unfinished, open, oldestOpen) = (books.unfinished, books.open.count, books.open.oldest)
        subscriptions = books.subscriptions
        (unanswered, failedRefunds, sold, hours) = (books.unanswered, books.failedRefunds, books.sold, books.hours)
        refundRequests = books.refundRequests
    }

    /// How much waits for somebody, for the menus of pages.
    package struct Waiting: Hashable, Sendable {
        package let purchases: Int
        package let refundRequests: Int
    }

    /// How much of an environment waits for somebody.
    package static func waiting(in store: EnvironmentStore) async throws -> Waiting {
        try await store.database.read {
            Waiting(
                purchases: try SaleStatus.openCount(in: $0), refundRequests: try RefundRequests.waiting(in: $0).count)
        }
    }

    /// What the books of the environment tell.
    private struct Books: Sendable {
        let unfinished: [Unfinished]
        let open: (count: Int, oldest: Instant?)
        let unanswered: Int
        let failedRefunds: [TransactionID]
        let refundRequests: (count: Int, oldest: Instant?)
        let sold: [(total: Money, count: Int)]
        let hours: [Hour]
        let subscriptions: SubscriptionFigures

        init(from start: Instant, to now: Instant, in transaction: any ReadTransaction) throws {
            unfinished = try transaction.query(
                """
                SELECT newest.bundle_id, device.app_version, count(*), min(newest.purchase_date)
                FROM (SELECT id, bundle_id, device_id, purchase_date FROM store_transaction ORDER BY id DESC LIMIT $2)
                    AS newest
                    LEFT JOIN device ON device.id = newest.device_id
                WHERE newest.purchase_date < $1
                    AND NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = newest.id)
                    AND NOT EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = newest.id)
                GROUP BY newest.bundle_id, device.app_version ORDER BY count(*) DESC LIMIT 20
                """, now - StoreOverview.patience, StoreOverview.window
            ) { row in
                var cells = row.cells
                return Unfinished(
                    bundle: try cells.next(), version: try cells.next(), count: try cells.next(),
                    oldest: try cells.next())
            }
            open = try transaction.one(
                "SELECT count(*), min(opened_at) FROM purchase WHERE \(Purchase.State.notFinal)"
            ) { row in
                var cells = row.cells
                return (try cells.next(as: Int.self), try cells.next(as: Instant?.self))
            }
            unanswered = try StoreBacklog.unanswered(since: now - StoreBacklog.late, in: transaction)
            failedRefunds = try transaction.query(
                "SELECT transaction_id FROM refund WHERE state = \(Refund.State.failed.literal) AND changed_at >= $1 ORDER BY id DESC LIMIT 20",
                start
            ) { try $0.value(0) }
            refundRequests = try RefundRequests.waiting(in: transaction)
            (sold, hours) = try Self.sales(from: start, in: transaction)
            subscriptions = try SubscriptionFigures(at: now, in: transaction)
        }

        private static func sales(
            from start: Instant, in transaction: any ReadTransaction
        ) throws -> ([(total: Money, count: Int)], [Hour]) {
            var totals: [Currency: (amount: Int64, count: Int)] = [:]
            var hours = Array(repeating: Hour(), count: 24)
            func hour(_ at: Instant) -> Int {
                min(23, max(0, Int((at.millisecondsSinceEpoch - start.millisecondsSinceEpoch) / 3_600_000)))
            }
            try transaction.forEachRow(
                """
                SELECT purchase_date, price, currency FROM (
                    SELECT purchase_date, price, currency, restored_id FROM store_transaction ORDER BY id DESC LIMIT $2
                ) AS newest WHERE purchase_date >= $1 AND restored_id IS NULL
                """, binding: [start.databaseValue, .integer(Int64(StoreOverview.window))]
            ) { row in
                var cells = row.cells
                hours[hour(try cells.next())].bought += 1
                let money = try cells.nextMoney()
                totals[money.currency, default: (0, 0)].amount += money.minorUnits
                totals[money.currency, default: (0, 0)].count += 1
            }
            try transaction.forEachRow(
                """
                SELECT changed_at FROM (
                    SELECT changed_at, state FROM purchase ORDER BY id DESC LIMIT $2
                ) AS newest WHERE changed_at >= $1 AND state = \(Purchase.State.declined.literal)
                """, binding: [start.databaseValue, .integer(Int64(StoreOverview.window))]
            ) { hours[hour(try $0.value(0))].failed += 1 }
            // What an operator ordered has no purchase.
            try transaction.forEachRow(
                """
                SELECT changed_at FROM (
                    SELECT charge.changed_at, charge.failure FROM sale_order JOIN charge ON charge.id = sale_order.id
                    WHERE sale_order.origin <> 'purchase' ORDER BY sale_order.id DESC LIMIT $2
                ) AS newest WHERE changed_at >= $1 AND failure LIKE 'declined:%'
                """, binding: [start.databaseValue, .integer(Int64(StoreOverview.window))]
            ) { hours[hour(try $0.value(0))].failed += 1 }
            let sold = totals.map { (total: Money(minorUnits: $1.amount, currency: $0), count: $1.count) }
            return (sold.sorted { ($0.count, $0.total.currency.code) > ($1.count, $1.total.currency.code) }, hours)
        }
    }

    /// The certificates and tokens of the environment that end soon, by the real time.
    package static func endings(of store: EnvironmentStore) async throws -> [Ending] {
        let (now, environment) = (store.clocks.wall(), store.environment)
        let certificates = store.signers.ends.filter { $0.at <= now + EnvironmentKeys.notice }.map { end in
            Ending(
                name: "the \(end.purpose.rawValue) \(end.role.rawValue) certificate", endsAt: end.at,
                remedy: "keys rotate --environment \(environment) --from \(end.role.rawValue)")
        }
        let span = (now - tokenNotice.after)...(now + tokenNotice.before)
        let tokens = try await store.catalogue.read {
            try OperatorTokens.ending(within: span, for: environment, in: $0)
        }
        return
            (certificates
            + tokens.map {
                Ending(name: "the token \($0.name)", endsAt: $0.expiresAt, remedy: $0.successor)
            }).sorted { ($0.endsAt, $0.name) < ($1.endsAt, $1.name) }
    }

    /// How many apps there are, and what of them is not sold where most customers are.
    private static func unsold(of store: EnvironmentStore) async throws -> (Int, [Unsold]) {
        let (now, environment) = (store.clocks.now, store.environment)
        let moment = CatalogueMoment(commerce: now.commerce, wall: now.wall)
        return try await store.catalogue.read { transaction in
            let apps = try Catalogue.apps(limit: Self.apps, in: transaction)
            var found: [Unsold] = []
            guard let storefront = StorefrontRecord.storefront(alpha3: "USA") else { return (apps.count, []) }
            let obstacles = try Catalogue.obstacles(of: apps, at: moment.wall, in: transaction)
            let products = try Catalogue.productIDs(
                ofApps: apps.map(\.id).filter { obstacles[$0] == nil }, limit: Self.products, in: environment,
                transaction)
            for app in apps {
                if let obstacle = obstacles[app.id] {
                    found.append(Unsold(bundle: app.bundleID, product: nil, obstacle: obstacle))
                    continue
                }
                guard let ids = products[app.id]?.map(\.text) else { continue }
                let listings = try Catalogue.listings(
                    for: ids, app: app, environment: environment, storefront: storefront, languages: ["en-US"],
                    at: moment, isForPeople: true, in: transaction)
                for product in listings.invalid {
                    guard let id = ProductID(product.id) else { continue }
                    found.append(Unsold(bundle: app.bundleID, product: id, obstacle: product.obstacle))
                }
            }
            return (apps.count, found)
        }
    }

    /// Which products are for sale and not in every storefront.
    private static func withdrawn(
        in environment: StoreEnvironment, _ transaction: any ReadTransaction
    ) throws -> [Withdrawn] {
        var found: [Withdrawn] = []
        try transaction.forEachRow(
            environment == .sandbox
                ? newestWithdrawals : publishedWithdrawals, binding: [.integer(Int64(products))]
        ) { row in
            var cells = row.cells
            let (bundle, product) = (try cells.next(as: BundleID.self), try cells.next(as: ProductID.self))
            let storefront = try cells.next(as: StorefrontCode.self)
            if let last = found.last, last.bundle == bundle, last.product == product {
                found[found.count - 1] = Withdrawn(
                    bundle: bundle, product: product, storefronts: last.storefronts + [storefront])
            } else {
                found.append(Withdrawn(bundle: bundle, product: product, storefronts: [storefront]))
            }
        }
        return found
    }

    private static let newestWithdrawals: SQL = """
        SELECT app.bundle_id, product.product_id, product_withdrawal.storefront FROM product_withdrawal
            JOIN product ON product.item_id = product_withdrawal.item_id
            JOIN app ON app.app_id = product.app_id
        WHERE product.removed_at IS NULL AND product.is_cleared_for_sale = 1
        ORDER BY app.bundle_id, product.product_id, product_withdrawal.storefront LIMIT $1
        """

    /// Those of what was drafted are kept apart.
    private static let publishedWithdrawals: SQL = """
        SELECT bundle_id, product_id, storefront FROM (
            SELECT app.bundle_id, product.product_id, product_withdrawal.storefront FROM product_withdrawal
                JOIN product ON product.item_id = product_withdrawal.item_id
                JOIN app ON app.app_id = product.app_id
            WHERE product.removed_at IS NULL AND product.is_cleared_for_sale = 1 AND product.drafted_at IS NULL
            UNION ALL
            SELECT app.bundle_id, product.product_id, published_withdrawal.storefront FROM published_withdrawal
                JOIN published_product ON published_product.item_id = published_withdrawal.item_id
                JOIN product ON product.item_id = published_withdrawal.item_id
                JOIN app ON app.app_id = product.app_id
            WHERE published_product.is_cleared_for_sale = 1
        ) AS sold
        ORDER BY bundle_id, product_id, storefront LIMIT $1
        """
}
