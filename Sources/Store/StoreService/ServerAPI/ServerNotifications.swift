import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

/// What developers' servers ask about the notifications that they are sent: a test, and all that were sent.
package struct ServerNotifications: Sendable {
    private let store: EnvironmentStore
    private let lists: NotificationLists

    package init(_ store: EnvironmentStore) {
        self.store = store
        lists = NotificationLists(store)
    }

    /// A notification as it is signed, and what was tried at the address of the app.
    package struct Item: Sendable {
        package let signedPayload: String
        /// In the order in which they were made.
        package let attempts: [NotificationAttempt]
    }

    private func item(_ listed: ListedNotification) throws -> Item {
        Item(
            signedPayload: try NotificationSigner(store).signedPayload(of: listed.notification),
            attempts: listed.addressAttempts)
    }

    // MARK: Tests

    /// Has a notification sent that tells of nothing.
    ///
    /// - Returns: the token by which is asked what came of it.
    package func requestTest(of app: AppID, _ bundle: BundleID, _ cause: ChangeCause) async throws
        -> String
    {
        let isProduction = store.environment == .production
        return try await store.database.write { transaction in
            guard let setting = try NotificationSetting.find(of: app, in: transaction) else {
                throw ServerAPIError(
                    .notificationURLNotFound,
                    "\(bundle) has no address for notifications; till notifications set gives one")
            }
            guard setting.takesTests else {
                throw ServerAPIError(.notificationURLNotFound, NotificationSetting.withoutTests)
            }
            let change = try cause.change(of: nil, in: transaction)
            var content = NotificationContent(bundleId: bundle)
            content.appAppleId = isProduction ? app : nil
            let written = try Notifications.append(
                .test, about: NotificationSubject(app: app), isWanted: true, change
            ) { content }
            guard let written else {
                throw ServerAPIError(.generalInternalRetryable, "the test was not written")
            }
            return "\(written.uuid)_\(written.writtenAt.millisecondsSinceEpoch)"
        }
    }

    /// What came of a test, once it was tried.
    package func test(_ token: String, of app: AppID) async throws -> Item {
        let parts = token.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = NotificationID(String(parts[0])), Int64(parts[1]) != nil else {
            throw ServerAPIError(
                .invalidTestNotificationToken,
                "this is no token that a request for a test was answered with")
        }
        let found = try await store.database.read { transaction in
            try NotificationDeliveries.find(id, in: transaction).map {
                try ListedNotification($0, in: transaction)
            }
        }
        guard let found, found.notification.app == app, found.notification.type == .test else {
            throw ServerAPIError(
                .testNotificationNotFound, "no test of the app has this token, or it is not kept any more")
        }
        guard !found.addressAttempts.isEmpty else {
            throw ServerAPIError(.testNotificationNotFound, "the test was not tried yet")
        }
        return try item(found)
    }

    // MARK: History

    /// Which notifications are asked for.
    package struct Query: Sendable {
        package let start: Instant
        package let end: Instant
        fileprivate let transaction: TransactionID?
        fileprivate let type: NotificationType?
        fileprivate let subtype: NotificationSubtype?
        fileprivate let onlyFailures: Bool

        package init(
            start: Int?, end: Int?, transaction: String?, type: String?, subtype: String?,
            onlyFailures: Bool
        ) throws(ServerAPIError) {
            guard let start, start >= 0 else {
                throw ServerAPIError(.invalidStartDate, "startDate is in milliseconds")
            }
            guard let end, end >= 0 else {
                throw ServerAPIError(.invalidEndDate, "endDate is in milliseconds")
            }
            guard start < end else {
                throw ServerAPIError(.startDateAfterEndDate, "startDate is before endDate")
            }
            guard transaction == nil || type == nil && subtype == nil else {
                throw ServerAPIError(
                    .multipleFiltersSupplied, "a transaction or a type is asked for, not both")
            }
            self.start = Instant(millisecondsSinceEpoch: Int64(start))
            self.end = Instant(millisecondsSinceEpoch: Int64(end))
            self.transaction = try transaction.map { text throws(ServerAPIError) in
                guard let id = TransactionID(text) else {
                    throw ServerAPIError(
                        .invalidTransactionID, "transactionId has not the form of a transaction's id")
                }
                return id
            }
            (self.type, self.subtype) = (
                type.map(NotificationType.init(rawValue:)), subtype.map(NotificationSubtype.init(rawValue:))
            )
            self.onlyFailures = onlyFailures
            guard self.type?.isKnown ?? (subtype == nil), self.subtype?.isKnown ?? true else {
                throw ServerAPIError(
                    .invalidNotificationType,
                    "notificationType is a type there is, and a subtype goes with a type")
            }
        }

        fileprivate func filter(of app: AppID) -> NotificationFilter {
            var filter = NotificationFilter(app: app)
            (filter.type, filter.subtype, filter.transaction) = (type, subtype, transaction)
            (filter.since, filter.before, filter.order) = (start, end, .signed)
            filter.states = onlyFailures ? NotificationFilter.failures : NotificationFilter.addressed
            return filter
        }
    }

    /// A page of what was sent, the newest first.
    package struct Page: Sendable {
        package let items: [Item]
        /// What the next page is asked for with; nil if this is the last.
        package let token: String?
    }

    private static let page = 20
    /// How far back may be asked, by the clock of the environment.
    private static func reach(in environment: StoreEnvironment) -> Duration {
        .seconds((environment == .production ? 180 : 30) * 86_400)
    }

    /// - Parameters:
    ///   - body: the text of what is asked for, which is the same for each page.
    ///   - token: what the page before was answered with; nil for the first.
    package func history(
        _ query: Query, asked body: String, after token: String?, of app: AppID
    ) async throws -> Page {
        let wall = store.clocks.wall()
        let place = try token.map { try PageToken($0, for: body, of: app, at: wall) }
        try await requireReach(of: query, app)
        let found = try await lists.page(query.filter(of: app), after: place?.cursor, limit: Self.page)
        return Page(
            items: try found.found.map(item),
            token: found.next.map { PageToken(cursor: $0, issuedAt: wall).text(for: body, of: app) })
    }

    /// Refuses what begins too long ago. Where a clock was set forward, all that is kept can be asked for.
    private func requireReach(of query: Query, _ app: AppID) async throws {
        let limit = store.clocks.commerce() - Self.reach(in: store.environment)
        guard query.start < limit else { return }
        let oldest = try await store.database.read { transaction in
            try transaction.value(
                "SELECT min(signed_at) FROM notification WHERE app_id = $1", app, as: Instant?.self)
        }
        guard let oldest, query.start >= oldest else {
            throw ServerAPIError(.startDateTooFarInPast, "startDate is \(limit.rfc3339) at the earliest")
        }
    }
}

/// What a page is asked for with: a place, and for which question it is.
private struct PageToken {
    let cursor: NotificationCursor
    /// By the wall clock.
    let issuedAt: Instant

    /// How long it can be used.
    private static let lifetime = Duration.seconds(86_400)

    init(cursor: NotificationCursor, issuedAt: Instant) {
        (self.cursor, self.issuedAt) = (cursor, issuedAt)
    }

    init(_ text: String, for body: String, of app: AppID, at wall: Instant) throws(ServerAPIError) {
        let parts =
            Base64.decode(text, .url).map { String(decoding: $0, as: UTF8.self) }?.split(separator: " ")
            ?? []
        guard parts.count == 3, let cursor = NotificationCursor(String(parts[0])),
            let time = Int64(parts[1])
        else {
            throw ServerAPIError(
                .invalidPaginationToken, "this is no token that a page was answered with")
        }
        guard parts[2] == Self.digest(of: body, app) else {
            throw ServerAPIError(
                .invalidPaginationToken,
                "the token is for another body; each page is asked for with the same")
        }
        let issuedAt = Instant(millisecondsSinceEpoch: time)
        guard wall - issuedAt < Self.lifetime else {
            throw ServerAPIError(
                .paginationTokenExpired, "the token was good for a day; ask for the first page again")
        }
        self.init(cursor: cursor, issuedAt: issuedAt)
    }

    func text(for body: String, of app: AppID) -> String {
        Base64.encode(
            Array("\(cursor) \(issuedAt.millisecondsSinceEpoch) \(Self.digest(of: body, app))".utf8), .url)
    }

    private static func digest(of body: String, _ app: AppID) -> String {
        let digest = try? DigestAlgorithm.sha256.digest(Array("\(app)\n\(body)".utf8))
        return Base64.encode((digest ?? []).prefix(12), .url)
    }
}
