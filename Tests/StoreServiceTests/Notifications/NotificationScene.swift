import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

/// A sandbox with apps that have addresses, and a sender whose receivers a test plays.
struct NotificationScene: Sendable {
    let sales: SaleScene
    /// Every attempt, in the order in which they were made.
    let sent = Observed<[NotificationRequest]>([])
    /// What the store logs.
    let log: Observed<[LogEntry]>

    var store: EnvironmentStore { sales.store }

    static let app = AppID(rawNumber: 42)

    /// Gives apps addresses, without the catalogue.
    func setAddress(_ app: AppID = app, retries: Bool = false, version: Int = 2) async throws {
        try await store.database.write { transaction in
            try transaction.insert(
                into: "notification_setting",
                [
                    "app_id": app, "url": "https://\(app).example/", "version": version, "types": String?.none,
                    "retries": retries, "set_at": 0, "actor": "owner",
                ])
        }
    }

    /// Writes a notification about an app, all of which have one stream.
    @discardableResult
    func write(_ app: AppID = app, of customer: CustomerID? = nil) async throws -> NotificationID {
        try await write(NotificationSubject(app: app, customer: customer))
    }

    @discardableResult
    func write(_ subject: NotificationSubject) async throws -> NotificationID {
        let cause = store.cause(.store)
        return try await store.database.write { transaction in
            let content = try NotificationContent(bundleId: BundleID(parsing: "com.example.app"))
            let written = try Notifications.append(
                .refund, about: subject, cause.change(of: subject.customer, in: transaction)
            ) { content }
            return try #require(written?.uuid)
        }
    }

    func find(_ id: NotificationID) async throws -> ListedNotification {
        try await NotificationLists(store).show(id, by: .owner)
    }

    /// A sender, which never looks by itself; `answer` is what the receivers say.
    func sender(
        named name: String = "one", limits: DeliveryPlan<AppID>.Limits = NotificationLimits.attempts,
        pause: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Self.never() },
        _ answer: @escaping @Sendable (NotificationRequest) async throws -> NotificationOutcome
    ) -> NotificationSender {
        NotificationSender(
            store, name: name, limits: limits, body: { Array($0.uuid.description.utf8) },
            post: { request in
                sent.update { $0.append(request) }
                return try await answer(request)
            }, pause: pause)
    }

    /// Runs a sender beside a test.
    @discardableResult
    func running<Result>(_ sender: NotificationSender, _ body: () async throws -> Result) async throws -> Result {
        let task = Task { await sender.run() }
        do {
            let result = try await body()
            task.cancel()
            await task.value
            return result
        } catch {
            task.cancel()
            await task.value
            throw error
        }
    }

    /// Waits until so many attempts are noted.
    func noted(_ count: Int) async throws {
        try await log.wait { entries in
            entries.count { $0.event == "notification.sent" || $0.event == "notification.refused" } >= count
        }
    }

    static func never() async throws { try await Task.sleep(for: .seconds(3600)) }

    static func on<Result>(
        _ engine: StoreEngine, _ body: (NotificationScene) async throws -> Result
    ) async throws -> Result {
        try await engine.withStore { databases in
            try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
            let log = Observed<[LogEntry]>([])
            let sales = try SaleScene(databases, log: { entry in log.update { $0.append(entry) } })
            return try await body(NotificationScene(sales: sales, log: log))
        }
    }
}

extension Actor {
    /// The bearer of a token of the sandbox.
    static func bearer(
        of role: OperatorTokens.Role, team: TeamID?, _ catalogue: any Database
    ) async throws -> Actor {
        let random = try RandomBytes()(OperatorTokens.byteCount)
        let (token, name) = (OperatorTokens.token(of: random), random.map { "\($0)" }.joined().prefix(20))
        try await catalogue.write { transaction in
            _ = try OperatorTokens.add(
                token, name: String(name), for: .sandbox, CatalogueChange(.owner, at: SceneTime.start, in: transaction))
            try transaction.execute(
                "UPDATE operator_token SET role = $2, team_id = $3 WHERE name = $1", String(name), role.rawValue, team)
        }
        return Actor(try #require(try await OperatorTokens.open(with: token, at: SceneTime.start, of: catalogue)))
    }
}

extension AppID {
    /// Safe: only called with constants above zero.
    init(rawNumber number: Int64) { self = try! AppID(number: number) }
}
