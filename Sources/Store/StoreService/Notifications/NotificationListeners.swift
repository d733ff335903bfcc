import StoreCatalogue
import StoreDatabase
package import StoreModel

/// Receivers on developers' machines, which ask for notifications by themselves, for as long as they are heard of.
///
/// They get what an app's own server gets, beside it and never in its place. A listener has a lease by the wall clock that
/// every question and answer renews; a process that was killed is nobody's listener a while later. Each notification is told
/// until the listener has said what became of it, those of a stream in their order.
package struct NotificationListeners: Sendable {
    private let store: EnvironmentStore
    private let body: NotificationBody

    /// - Parameter body: makes what would be sent.
    package init(_ store: EnvironmentStore, body: @escaping NotificationBody) {
        self.store = store
        self.body = body
    }

    /// How long a listener is not heard of before it has ended.
    package static let lease = Duration.seconds(30)
    /// The longest time that a question waits for an answer.
    package static let longestWait = Duration.seconds(25)
    /// Listeners of an environment at once, and those of a team that may be beyond it: what others have takes them from nobody.
    package static let (most, share) = (100, 5)
    /// Notifications of one answer.
    package static let batch = 20
    /// The longest name of a listener.
    package static let longestName = 64

    /// A receiver that listens.
    package struct Listener: Hashable, Sendable {
        package let id: NotificationListenerID
        /// The app that it hears of; nil for all.
        package let app: AppID?
        package let name: String?
        package let actor: String
        package let begunAt: Instant
        package let leasedUntil: Instant

        static let columns: SQL = "id, app_id, name, actor, begun_at, leased_until"

        init(_ row: Row) throws {
            var cells = row.cells
            (id, app, name) = try (cells.next(), cells.next(), cells.next())
            (actor, begunAt, leasedUntil) = try (cells.next(), cells.next(), cells.next())
        }
    }

    /// Begins to listen to an app, or to all apps that the actor sees.
    ///
    /// A name takes the place of the listener that has it and lives: what that one has not answered is told again. Where none
    /// lives it begins anew, with what happens from now on.
    ///
    /// - Parameter former: the listener that the caller was until now. It takes no name from another, so that two that are
    ///   called the same do not replace each other for ever.
    package func begin(
        of bundle: BundleID?, name: String?, after former: NotificationListenerID? = nil, _ cause: ChangeCause
    ) async throws -> Listener {
        try cause.require(.secrets)
        if let name, name.isEmpty || name.unicodeScalars.count > Self.longestName {
            throw ServiceError(
                .valueInvalid, "the name of a listener has 1 to \(Self.longestName) characters", parameter: "name")
        }
        let app = try await self.app(bundle)
        let (wall, actor, team) = (store.clocks.wall(), cause.actor.text, cause.actor.team)
        return try await store.database.write { transaction in
            try Self.removeEnded(at: wall, in: transaction)
            let known = try name.flatMap { name in
                try transaction.optional(
                    "SELECT \(Listener.columns) FROM notification_listener WHERE name = $1 AND actor = $2", name, actor,
                    row: Listener.init)
            }
            if let former, let name, let known, known.id != former {
                throw ServiceError(
                    .nameTaken, "another listener has the name \(name) now, and is told what this one would be",
                    parameter: "name")
            }
            if known == nil { try Self.requirePlace(for: team, in: transaction) }
            let id = try NotificationListenerID(
                number: Numbers.draw(.notificationListeners, in: transaction))
            try transaction.insert(
                into: "notification_listener",
                [
                    "id": id, "app_id": app, "name": name, "actor": actor, "team_id": team, "begun_at": wall,
                    "leased_until": wall + Self.lease,
                ])
            if let known { try Self.replace(known.id, by: id, in: transaction) }
            return try transaction.one(
                "SELECT \(Listener.columns) FROM notification_listener WHERE id = $1", id, row: Listener.init)
        }
    }

    /// Refuses one more where there are too many, but for those of a team that has few.
    private static func requirePlace(for team: TeamID?, in transaction: any ReadTransaction) throws {
        let (all, own) = try transaction.one(
            "SELECT count(*), count(CASE WHEN coalesce(team_id, '') = $1 THEN 1 END) FROM notification_listener",
            team?.text ?? ""
        ) { row in
            var cells = row.cells
            return (try cells.next(as: Int.self), try cells.next(as: Int.self))
        }
        guard all < most || own < share else {
            throw ServiceError(
                .limitReached,
                "\(most) listeners at once are the most, and \(share) of each team beyond that; end one of them, or wait "
                    + "\(lease.components.seconds) seconds for one that was killed")
        }
    }

    /// Gives what one listener has not answered to another one, which has its name now.
    private static func replace(
        _ former: NotificationListenerID, by id: NotificationListenerID, in transaction: any WriteTransaction
    ) throws {
        try transaction.update("notification_for_listener", ["listener_id": id], where: ["listener_id": former])
        try transaction.execute("DELETE FROM notification_listener WHERE id = $1", former)
    }

    private static func removeEnded(at wall: Instant, in transaction: any WriteTransaction) throws {
        try transaction.execute("DELETE FROM notification_listener WHERE leased_until <= $1", wall)
        try transaction.execute(
            "DELETE FROM notification_for_listener WHERE listener_id NOT IN (SELECT id FROM notification_listener)")
    }

    /// Those that listen to an app now.
    package static func listening(to app: AppID, of store: EnvironmentStore) async throws -> [Listener] {
        let wall = store.clocks.wall()
        return try await store.database.read { transaction in
            try transaction.query(
                """
                SELECT \(Listener.columns) FROM notification_listener
                WHERE leased_until > $1 AND (app_id IS NULL OR app_id = $2) ORDER BY id
                """, wall, app, row: Listener.init)
        }
    }

    private func app(_ bundle: BundleID?) async throws -> AppID? {
        guard let bundle else { return nil }
        guard let app = try await store.catalogue.lookUp({ try Catalogue.app(bundle, in: $0) }) else {
            throw ServiceError(.appUnknown, "the store has no app \(bundle)", parameter: "bundleId")
        }
        return app.id
    }

    // MARK: Hearing

    /// What a listener has not answered yet, the oldest first: at once, or as soon as there is something.
    package func heard(
        by id: NotificationListenerID, waitingUpTo time: Duration, _ cause: ChangeCause
    ) async throws -> [HeardNotification] {
        try await renew(id, cause)
        let found = try await store.waiters.wait(
            for: id.description, on: .heardNotifications, upTo: min(time, Self.longestWait)
        ) {
            let found = try await waiting(for: id, cause.actor)
            return found.isEmpty ? nil : found
        }
        if found != nil { try await renew(id, cause) }
        return found ?? []
    }

    /// Keeps what became of a notification at a listener, which is told nothing more of it. Said twice it is kept once.
    package func answer(
        _ uuid: NotificationID, by id: NotificationListenerID, _ outcome: NotificationOutcome, _ cause: ChangeCause
    ) async throws {
        guard outcome.result.isKnown, outcome.milliseconds >= 0,
            outcome.status.map((100...599).contains) ?? true
        else {
            throw ServiceError(
                .valueInvalid, "an outcome is a result that is known, a status of HTTP and a time",
                parameter: outcome.result.isKnown ? outcome.milliseconds < 0 ? "milliseconds" : "status" : "result")
        }
        try await renew(id, cause)
        let (clocks, wall) = (store.clocks, store.clocks.wall())
        try await store.database.write { transaction in
            guard let told = try NotificationDeliveries.find(uuid, in: transaction),
                try transaction.execute(Self.deletion, id, told.stream, told.number) == 1
            else { return }
            let commerce = clocks.now(by: try CustomerClock.find(told.clock, in: transaction)).commerce
            let number = try transaction.value(
                """
                SELECT count(*) + 1 FROM notification_attempt
                WHERE stream = $1 AND notification_number = $2 AND receiver = $3
                """, told.stream, told.number, Self.receiver(id), as: Int.self)
            try transaction.insert(
                NotificationAttempt(
                    of: told, to: Self.receiver(id), number: number, at: StoreTimes(commerce: commerce, wall: wall),
                    outcome), into: NotificationAttempt.table)
        }
    }

    /// What attempts call a listener.
    private static func receiver(_ id: NotificationListenerID) -> String { "listener/\(id)" }

    private static let deletion: SQL = """
        DELETE FROM notification_for_listener WHERE listener_id = $1 AND stream = $2 AND notification_number = $3
        """

    /// Ends a listener, and with it what waits for it.
    package func end(_ id: NotificationListenerID, _ cause: ChangeCause) async throws {
        try cause.require(.secrets)
        let (wall, actor) = (store.clocks.wall(), cause.actor.text)
        try await store.database.write { transaction in
            try transaction.execute("DELETE FROM notification_listener WHERE id = $1 AND actor = $2", id, actor)
            try Self.removeEnded(at: wall, in: transaction)
        }
    }

    /// Lets a listener live on, if it does and is the actor's.
    private func renew(_ id: NotificationListenerID, _ cause: ChangeCause) async throws {
        try cause.require(.secrets)
        let (wall, actor) = (store.clocks.wall(), cause.actor.text)
        let renewed = try await store.database.write(isolation: .readCommitted) { transaction in
            try transaction.execute(
                """
                UPDATE notification_listener SET leased_until = $4
                WHERE id = $1 AND actor = $2 AND leased_until > $3
                """, id, actor, wall, wall + Self.lease)
        }
        guard renewed == 1 else {
            throw ServiceError(
                .nameUnknown,
                "there is no listener \(id) any more: another has its name, or it was not heard of for "
                    + "\(Self.lease.components.seconds) seconds", parameter: "listener")
        }
    }

    /// What waits, of apps of the actor's team.
    private func waiting(for id: NotificationListenerID, _ actor: Actor) async throws -> [HeardNotification] {
        let limit = Self.batch
        while true {
            let found = try await store.database.read { transaction in
                let rows = try transaction.query(
                    """
                    SELECT \(StoredNotification.table.qualifiedColumns) FROM notification_for_listener AS heard
                    JOIN notification ON notification.stream = heard.stream
                        AND notification.number = heard.notification_number
                    WHERE heard.listener_id = $1
                    ORDER BY heard.written_at, heard.notification_number, heard.stream LIMIT $2
                    """, id, limit, row: StoredNotification.init)
                let customers = try Customers.find(all: rows.compactMap(\.customer), in: transaction)
                return rows.map { (told: $0, email: $0.customer.flatMap { customers[$0] }?.email) }
            }
            let apps = try await store.catalogue.read { try Catalogue.apps(all: found.map(\.told.app), in: $0) }
            var (heard, others): ([HeardNotification], [StoredNotification]) = ([], [])
            for (told, email) in found {
                let isOwn = actor.team == nil || actor.team == apps[told.app]?.teamID
                // The first version has no form of some.
                guard isOwn, let body = try await body(told) else {
                    others.append(told)
                    continue
                }
                heard.append(HeardNotification(told: told, content: try told.told, email: email, body: body))
            }
            try await forget(others, by: id)
            if !heard.isEmpty || found.isEmpty { return heard }
        }
    }

    /// Tells a listener nothing of what is not for it.
    private func forget(_ others: [StoredNotification], by id: NotificationListenerID) async throws {
        guard !others.isEmpty else { return }
        try await store.database.write(isolation: .readCommitted) { transaction in
            for told in others { try transaction.execute(Self.deletion, id, told.stream, told.number) }
        }
    }
}

/// A notification as a listener is told of it.
package struct HeardNotification: Sendable {
    package let told: StoredNotification
    package let content: NotificationContent
    /// The address of the customer whom it concerns; nil where it is about none.
    package let email: String?
    /// What would be sent.
    package let body: [UInt8]
}
