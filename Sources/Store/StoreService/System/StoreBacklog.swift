import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules

/// How much an environment has still to do, and the catalogue, which both share.
package struct StoreBacklog: Sendable {
    /// How many pieces of work are named that were given up.
    package static let mostDead = 20
    /// How long work may be due before it counts as late.
    package static let late = Duration.seconds(60)

    /// How much work of a kind waits.
    package struct Work: Hashable, Sendable {
        package let kind: String
        /// All that is scheduled, for whenever.
        package let scheduled: Int
        /// What is due now, and since when the oldest is.
        package let due: Int
        package let oldest: Instant?
        /// What has failed at least once, and is tried again.
        package let failing: Int

        /// What it is, for people.
        package var title: String { StoreBacklog.title(of: kind) }

        init(_ backlog: WorkBacklog) {
            (kind, scheduled, due) = (backlog.kind, backlog.scheduled, backlog.due)
            (oldest, failing) = (backlog.oldest, backlog.failing)
        }
    }

    /// Work that was given up.
    package struct Dead: Hashable, Sendable {
        package let kind: String
        package let subject: String
        /// By the clock of the work.
        package let at: Instant
        package let attempts: Int
        /// What the last attempt failed with.
        package let error: String

        /// What it is, for people.
        package var title: String { StoreBacklog.title(of: kind) }

        init(_ dead: DeadWork) {
            (kind, subject, attempts) = (dead.work.kind, dead.work.subject, dead.work.attempt)
            (at, error) = (dead.diedAt, dead.error)
        }
    }

    package let work: [Work]
    /// What was given up last, and how much that is altogether.
    package let dead: [Dead]
    package let deadCount: Int
    /// Notifications that are to be sent now, and since when the oldest waits.
    package let notifications: Int
    package let oldestNotification: Instant?
    /// Charges of which the processor has said nothing for more than a minute.
    package let unanswered: Int
    package let at: StoreTimes

    package init(of store: EnvironmentStore) async throws {
        let now = store.clocks.now
        at = now
        let found = try await store.database.read { transaction in
            let dead = try WorkTable.newestDead(limit: Self.mostDead, in: transaction)
            let notifications = try NotificationDeliveries.backlog(in: transaction)
            return (
                work: try WorkTable.backlog(at: now.commerce, wall: now.wall, in: transaction), dead: dead,
                notifications: notifications,
                unanswered: try Self.unanswered(since: now.wall - Self.late, in: transaction)
            )
        }
        let shared = try await store.catalogue.read { transaction in
            (
                work: try WorkTable.backlog(at: now.commerce, wall: now.wall, in: transaction),
                dead: try WorkTable.newestDead(limit: Self.mostDead, in: transaction)
            )
        }
        work = (found.work + shared.work).map(Work.init)
        dead = (found.dead.work + shared.dead.work).map(Dead.init)
        deadCount = found.dead.count + shared.dead.count
        (notifications, oldestNotification) = (found.notifications.count, found.notifications.oldest)
        unanswered = found.unanswered
    }

    /// How many charges have no answer of the processor since an instant of the wall clock.
    static func unanswered(since instant: Instant, in transaction: any ReadTransaction) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM charge
            WHERE \(Charge.State.underWay) AND state <> \(Charge.State.action.literal) AND changed_at < $1
            """, instant, as: Int.self)
    }

    package var due: Int { work.reduce(0) { $0 + $1.due } }
    package var failing: Int { work.reduce(0) { $0 + $1.failing } }

    /// Since when the oldest work is due.
    package var oldest: Instant? { work.compactMap(\.oldest).min() }

    /// The state in one sentence.
    package var sentence: String {
        let parts = [
            due == 0 ? "nothing is due" : "\(due) \(due == 1 ? "piece of work is" : "pieces of work are") due",
            failing == 0 ? nil : "\(failing) failed and \(failing == 1 ? "is" : "are") tried again",
            deadCount == 0 ? nil : "\(deadCount) \(deadCount == 1 ? "was" : "were") given up",
            notifications == 0
                ? nil : "\(notifications) \(notifications == 1 ? "notification waits" : "notifications wait")",
            unanswered == 0
                ? nil : "\(unanswered) \(unanswered == 1 ? "charge has" : "charges have") no answer",
        ].compactMap(\.self)
        return parts.joined(separator: ", ").capitalizedFirstLetter + "."
    }

    private static func title(of kind: String) -> String {
        switch kind {
        case Subscriptions.work: "renewals of subscriptions"
        case Purchases.work: "purchases that end unconfirmed"
        case Charges.work: "charges"
        case Charges.lateWork: "late answers of the processor"
        case Refunds.work: "refunds"
        case DeviceHold.work: "deliveries to other devices"
        case FamilySharing.work: "sharing with families"
        case MassExtensions.work: "extensions of many subscriptions"
        case SpentTesters.work: "testers who became customers"
        case NotificationDeliveries.work: "notifications, once more"
        case Removal.work: "removal of what is old"
        case PartnerFeeds.work: "feeds of partners"
        case PartnerFeeds.calendar: "the next feeds of partners"
        case BlobScrub.work: "looking for damaged pictures and content"
        case ContentUpkeep.work: "hosted content"
        default: kind
        }
    }
}

extension String {
    fileprivate var capitalizedFirstLetter: String { prefix(1).uppercased() + dropFirst() }
}
