package import StoreDatabase
package import StoreModel
package import StoreRules

/// A version of an app, as far as the store knows it: its name and how far its review is.
package struct AppVersion: Hashable, Sendable {
    package let version: String
    package let review: AppVersionReview
    package let createdAt: Instant
    package let changedAt: Instant
    /// Why it was rejected, and what its developer is told; nil unless it is.
    package let rejection: Rejection?

    package struct Rejection: Hashable, Sendable {
        package let reason: RejectionReason
        package let message: String

        /// - Throws: ``CatalogueError`` if the reason is none that is known, or the message too long.
        package init(_ reason: RejectionReason, message: String) throws {
            guard reason.isKnown else {
                let known = RejectionReason.known.map(\.rawValue).sorted().joined(separator: ", ")
                throw CatalogueError(.valueInvalid, "it is one of \(known)", field: "reason")
            }
            self.reason = reason
            self.message = try CatalogueText.lines(message, atMost: ProductReviews.longestNote, field: "message")
        }

        fileprivate init(stored reason: RejectionReason, _ message: String) {
            (self.reason, self.message) = (reason, message)
        }
    }

    static let columns: SQL = "version, state, created_at, changed_at, rejection_reason, rejection_message"
    static let columnCount = 6

    init(_ row: Row) throws {
        var cells = row.cells
        version = try cells.next()
        review = AppVersionReview(state: try cells.next())
        createdAt = try cells.next()
        changedAt = try cells.next()
        let reason = try cells.next(as: String?.self)
        let message = try cells.next(as: String?.self)
        rejection = reason.map { Rejection(stored: RejectionReason(rawValue: $0), message ?? "") }
    }
}

extension AppVersionState: ColumnValue {}

/// The versions of apps.
package enum AppVersions {
    package static let most = 1000

    /// The versions of an app, in the order in which they were entered.
    package static func list(of app: AppID, in transaction: any ReadTransaction) throws -> [AppVersion] {
        try transaction.query(
            "SELECT \(AppVersion.columns) FROM app_version WHERE app_id = $1 ORDER BY created_at, version", app,
            row: AppVersion.init)
    }

    /// The versions of these apps, in the order in which they were entered.
    package static func list(
        ofApps ids: some Sequence<AppID>, in transaction: any ReadTransaction
    ) throws -> [AppID: [AppVersion]] {
        var versions: [AppID: [AppVersion]] = [:]
        _ = try transaction.query(
            """
            SELECT \(AppVersion.columns), app_id FROM app_version WHERE app_id IN \(.numbers)
            ORDER BY created_at, version
            """, of: ids
        ) { row in
            versions[try row.value(AppVersion.columnCount), default: []].append(try AppVersion(row))
        }
        return versions
    }

    /// The states of the versions of these apps, the oldest version first.
    static func states(
        ofApps ids: [AppID], in transaction: any ReadTransaction
    ) throws -> [AppID: [AppVersionState]] {
        let found = try transaction.query(
            "SELECT app_id, state FROM app_version WHERE app_id IN \(.numbers) ORDER BY created_at, version", of: ids
        ) { row in
            var cells = row.cells
            return (app: try cells.next(as: AppID.self), state: try cells.next(as: AppVersionState.self))
        }
        return Dictionary(grouping: found, by: \.app).mapValues { $0.map(\.state) }
    }

    package static func find(
        _ version: String, of app: AppID, in transaction: any ReadTransaction
    ) throws -> AppVersion? {
        try transaction.optional(
            "SELECT \(AppVersion.columns) FROM app_version WHERE app_id = $1 AND version = $2", app, version,
            row: AppVersion.init)
    }

    package static func require(
        _ version: String, of app: AppID, in transaction: any ReadTransaction
    ) throws -> AppVersion {
        guard let found = try find(version, of: app, in: transaction) else {
            throw CatalogueError(
                .nameUnknown, "the app has no version \(version); enter it for the app first", field: "version")
        }
        return found
    }

    package static func add(
        _ version: String, of app: AppID, _ change: CatalogueChange
    ) throws -> AppVersion {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        let isVersion =
            (1...3).contains(parts.count)
            && parts.allSatisfy { (1...9).contains($0.count) && $0.allSatisfy(\.isNumber) }
        guard isVersion, version.utf8.count == version.count else {
            throw CatalogueError(
                .valueInvalid, "it is one to three numbers with periods, as in 1.0.2", field: "version")
        }
        guard try find(version, of: app, in: change.transaction) == nil else {
            throw CatalogueError(.nameTaken, "the app has a version \(version)", field: "version")
        }
        guard try list(of: app, in: change.transaction).count < most else {
            throw CatalogueError(.limitReached, "an app has at most \(most) versions")
        }
        return try CatalogueAudit.audit(.app(app), "version \(version) entered", change) {
            try change.transaction.insert(
                into: "app_version",
                [
                    "app_id": app, "version": version, "state": AppVersionState.prepareForSubmission,
                    "created_at": change.at, "changed_at": change.at,
                ])
            return try require(version, of: app, in: change.transaction)
        }
    }

    /// Takes back a version that nobody has reviewed and nothing was submitted with.
    package static func remove(_ version: String, of app: AppID, _ change: CatalogueChange) throws {
        let found = try require(version, of: app, in: change.transaction)
        guard found.review.state == .prepareForSubmission else {
            throw CatalogueError(
                .stateWrong,
                "version \(version) is \(found.review.state.rawValue.replacing("_", with: " ")): only one that was never "
                    + "submitted is taken back", field: "version")
        }
        if let product = try products(with: version, of: app, in: change.transaction).first {
            throw CatalogueError(
                .stateWrong, "\(product.productID) was submitted with version \(version)", field: "version")
        }
        if let item = try ItemShelf.item(of: app, in: change.transaction),
            try ItemFiles.list(of: item.storeID, in: change.transaction)
                .contains(where: { $0.version == version })
        {
            throw CatalogueError(.stateWrong, "version \(version) has packages; remove them first", field: "version")
        }
        try CatalogueAudit.audit(.app(app), "version \(version) taken back", change) {
            try change.transaction.execute(
                "DELETE FROM app_version_note WHERE app_id = $1 AND version = $2", app, version)
            try change.transaction.execute(
                "DELETE FROM app_version WHERE app_id = $1 AND version = $2", app, version)
        }
    }

    /// Takes a version a step on, and the products with it that were submitted together.
    ///
    /// - Parameter rejection: why it is rejected, where it is.
    package static func advance(
        _ event: AppVersionReview.Event, _ version: String, of app: AppID,
        because rejection: AppVersion.Rejection? = nil, _ change: CatalogueChange
    ) throws -> AppVersion {
        if [.begun, .approved, .rejected].contains(event) { try change.require(.review, in: .production) }
        let found = try require(version, of: app, in: change.transaction)
        var review = found.review
        // What was approved is what production has, whatever other versions wait beside it.
        if review.state == .approved { try change.actor.requireReach(of: .production) }
        do throws(ReviewError) {
            try review.handle(event)
        } catch {
            throw CatalogueError(.stateWrong, "version \(version): \(error)")
        }
        guard review != found.review else { return found }
        return try CatalogueAudit.audit(.app(app), "version \(version) \(event.rawValue)", change) {
            try change.transaction.update(
                "app_version",
                [
                    "state": review.state, "changed_at": change.at, "rejection_reason": rejection?.reason.rawValue,
                    "rejection_message": rejection?.message,
                ],
                where: ["app_id": app, "version": version])
            if event == .approved, let item = try ItemShelf.item(of: app, in: change.transaction) {
                try ItemFiles.publish(item, version: version, change)
            }
            let step: ProductReviews.Step? =
                switch event {
                case .approved: .event(.binaryApproved)
                case .rejected, .developerRejected: .event(.binaryRejected)
                case .submitted, .begun: nil
                }
            if let step {
                for product in try products(with: version, of: app, in: change.transaction) {
                    // One that is still in review waits for its own decision.
                    if event == .approved, product.review.stage != .pendingBinaryApproval { continue }
                    try ProductReviews.advance(step, product.itemID, change)
                }
            }
            return try require(version, of: app, in: change.transaction)
        }
    }

    private static func products(
        with version: String, of app: AppID, in transaction: any ReadTransaction
    ) throws -> [CatalogueProduct] {
        try transaction.query(
            """
            SELECT \(CatalogueProduct.columns) FROM product WHERE app_id = $1 AND review_version = $2
                AND (CASE WHEN state = 'removed_from_sale' THEN held_state ELSE state END)
                    IN ('waiting_for_review', 'in_review', 'pending_binary_approval')
            """, app, version, row: CatalogueProduct.init)
    }
}

extension Catalogue {
    /// What keeps an app from selling anything, whatever the product; nil if nothing does.
    package static func obstacle(
        of app: CatalogueApp, at now: Instant, in transaction: any ReadTransaction
    ) throws -> ProductObstacle? {
        try obstacles(of: [app], at: now, in: transaction)[app.id]
    }

    /// The same of several, of those that have one; as many statements, however many there are.
    package static func obstacles(
        of apps: [CatalogueApp], at now: Instant, in transaction: any ReadTransaction
    ) throws -> [AppID: ProductObstacle] {
        let ids = apps.map(\.id)
        let teams = try Teams.find(ofApps: ids, in: transaction)
        let agreed = try Agreements.isValid(.paid, ofApps: ids, at: now, in: transaction)
        let states = try AppVersions.states(ofApps: ids, in: transaction)
        var found: [AppID: ProductObstacle] = [:]
        for app in apps {
            found[app.id] = ProductObstacle.ofApp(
                hasAgreement: agreed.contains(app.id), versions: states[app.id] ?? [],
                isSuspended: teams[app.id]?.suspendedAt != nil,
                mayUsePurchases: app.capabilities.contains(.inAppPurchase))
        }
        return found
    }
}
