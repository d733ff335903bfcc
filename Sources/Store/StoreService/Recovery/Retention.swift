package import StoreDatabase
package import StoreModel
import Synchronization

/// What an environment does not keep for ever, and how long it does, by the wall clock.
///
/// Transactions, the ledger, and the history of whatever was ordered always stay.
package struct Retention: Hashable, Sendable {
    /// Purchases that ended without a yes. Their keys stay as long as their device.
    package var unconfirmedPurchases: Duration
    /// Devices on which nobody ever signed in, since they last registered. A device in use registers every 90 days.
    package var idleDevices: Duration
    /// What the devices of customers are told. One that was away for longer reads all transactions again.
    package var events: Duration
    /// What developers' servers are told, with the attempts.
    package var notifications: Duration

    package init(unconfirmedPurchases: Duration, idleDevices: Duration, events: Duration, notifications: Duration) {
        self.unconfirmedPurchases = unconfirmedPurchases
        self.idleDevices = idleDevices
        self.events = events
        self.notifications = notifications
    }

    private static let day = Duration.seconds(24 * 60 * 60)

    package static let standard = Retention(
        unconfirmedPurchases: day * 30, idleDevices: day * 180, events: day * 90, notifications: day * 180)
    /// How long notifications of the sandbox are kept.
    package static let sandboxNotifications = day * 30

    /// How long it takes until something is looked for again: an hour, or less where less is kept.
    fileprivate var pause: Duration {
        min(.seconds(60 * 60), unconfirmedPurchases / 2, idleDevices / 2, events / 2, notifications / 2)
    }
}

/// Removes what is not kept any more, a little at a time, as work that is always due again.
package final class Removal: Sendable {
    package static let work = "removal"
    private static let subject = "environment"
    /// How much one turn removes of each kind, so that no sale waits for it.
    private static let page = 200

    private let retention: Retention
    private let database: any Database
    /// The customer whose events come next.
    private let next = Mutex<CustomerID?>(nil)

    package init(_ retention: Retention, of database: any Database) {
        self.retention = retention
        self.database = database
    }

    /// Has it done from now on, if it is not.
    package static func begin(at wall: Instant, in database: any Database) async throws {
        try await database.write { transaction in
            try WorkTable.ensure(Work(work, subject, dueAt: wall, clock: .wall), in: transaction)
        }
    }

    /// One turn; returns when the next is due.
    package func turn(at wall: Instant) async throws -> Instant {
        let (retention, next) = (retention, next.withLock { $0 })
        let (removed, following) = try await database.write { transaction in
            let purchases = try Purchases.removeUnconfirmed(
                endedBefore: wall - retention.unconfirmedPurchases, limit: Self.page, in: transaction)
            let devices = try Devices.removeIdle(
                seenBefore: wall - retention.idleDevices, limit: Self.page, in: transaction)
            let following = try CustomerEvents.remove(
                writtenBefore: wall - retention.events, after: next, limit: Self.page, in: transaction)
            let notifications = try NotificationDeliveries.remove(
                writtenBefore: wall - retention.notifications, limit: Self.page, in: transaction)
            let visits = try StoreVisit.remove(
                expiredBefore: wall - VisitLimits.memory, limit: Self.page, in: transaction)
            let sessions = try WebSessions.removeExpired(at: wall, limit: Self.page, in: transaction)
            let guesses = try GuessCounts.removeForgotten(at: wall, limit: Self.page, in: transaction)
            return (max(purchases, devices, guesses, notifications, visits, sessions), following)
        }
        self.next.withLock { $0 = following }
        return removed == Self.page || following != nil ? wall : wall + retention.pause
    }
}
