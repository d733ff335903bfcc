import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

/// What developers' servers ask about the notifications that they are sent.
@Suite("Notifications that servers ask about", .bounded)
struct ServerNotificationTests {
    private static let bundle = Result { try BundleID(parsing: "com.example.app42") }
    private static let app = Result { try AppID(number: 42) }

    private func inScene(_ body: (SaleScene, ServerNotifications) async throws -> Void) async throws {
        try await SaleScene.on(.memory) { scene in
            try await scene.enterPlans()
            try await body(scene, ServerNotifications(scene.store))
        }
    }

    private func setAddress(_ scene: SaleScene, version: Int = 2) async throws {
        _ = try await NotificationSettings(scene.store).set(
            .init(url: "https://example.com/notifications", version: version), app: Self.bundle.get(),
            scene.store.cause(.owner))
    }

    @discardableResult
    private func request(_ notifications: ServerNotifications, _ scene: SaleScene) async throws -> String {
        try await notifications.requestTest(of: Self.app.get(), Self.bundle.get(), scene.store.cause(.owner))
    }

    /// Notes an attempt at the notification of a token.
    private func attempt(_ token: String, _ result: SendAttemptResult, _ scene: SaleScene) async throws {
        let id = try #require(NotificationID(String(token.prefix { $0 != "_" })))
        let now = StoreTimes(commerce: scene.time.current, wall: scene.time.current)
        try await scene.store.database.write { transaction in
            let found = try #require(try NotificationDeliveries.find(id, in: transaction))
            let made = NotificationAttempt(
                of: found, to: NotificationAttempt.address, number: 1, at: now, NotificationOutcome(result))
            try transaction.insert(made, into: NotificationAttempt.table)
        }
    }

    @Test("X3: A test is sent where the app has an address, and what came of it is known once it was tried")
    func test() async throws {
        try await inScene { scene, notifications in
            await ServerAPIError.Code.notificationURLNotFound.refuses { try await request(notifications, scene) }
            // Version 1 has no form of a test, which would wait for ever.
            try await setAddress(scene, version: 1)
            await ServerAPIError.Code.notificationURLNotFound.refuses { try await request(notifications, scene) }
            let refusal = await #expect(throws: ServiceError.self) {
                try await TestNotifications(scene.store).request(for: Self.bundle.get(), scene.store.cause(.owner))
            }
            #expect(refusal?.code == .noNotificationAddress && refusal?.message.contains("version 1") == true)
            try await setAddress(scene)
            let token = try await request(notifications, scene)
            let app = try Self.app.get()
            await ServerAPIError.Code.testNotificationNotFound.refuses { try await notifications.test(token, of: app) }
            try await attempt(token, .timedOut, scene)
            let found = try await notifications.test(token, of: app)
            #expect(found.attempts.map(\.result) == [.timedOut] && found.attempts.first?.at == scene.time.current)
            #expect(found.signedPayload.split(separator: ".").count == 3)
            for wrong in ["", "never", "\(token)_1", "1_2"] {
                await ServerAPIError.Code.invalidTestNotificationToken.refuses {
                    try await notifications.test(wrong, of: app)
                }
            }
            await ServerAPIError.Code.testNotificationNotFound.refuses {
                try await notifications.test(token, of: AppID(number: 43))
            }
        }
    }

    private func query(
        _ start: Instant, _ end: Instant, _ type: String? = nil, onlyFailures: Bool = false
    ) throws -> ServerNotifications.Query {
        try ServerNotifications.Query(
            start: Int(start.millisecondsSinceEpoch), end: Int(end.millisecondsSinceEpoch), transaction: nil,
            type: type,
            subtype: nil, onlyFailures: onlyFailures)
    }

    @Test(
        "X3: The history has the newest first, twenty a page, and a token goes with the body that it was made for, for a day"
    )
    func history() async throws {
        try await inScene { scene, notifications in
            try await setAddress(scene)
            let start = scene.time.current
            var tokens: [String] = []
            for _ in 0..<25 {
                tokens.append(try await request(notifications, scene))
                scene.time.pass(.seconds(1))
            }
            try await attempt(tokens[24], .success, scene)
            let (app, all) = (try Self.app.get(), try query(start, scene.time.current))
            let first = try await notifications.history(all, asked: "one", after: nil, of: app)
            #expect(first.items.count == 20 && first.items.first?.attempts.map(\.result) == [.success])
            let token = try #require(first.token)
            let second = try await notifications.history(all, asked: "one", after: token, of: app)
            #expect(second.items.count == 5 && second.token == nil)
            #expect(Set((first.items + second.items).map(\.signedPayload)).count == 25)
            for (body, other, wrong) in [("two", 42, token), ("one", 43, token), ("one", 42, "never")] {
                await ServerAPIError.Code.invalidPaginationToken.refuses {
                    try await notifications.history(
                        all, asked: body, after: wrong, of: AppID(number: Int64(other)))
                }
            }
            let none = try query(start, scene.time.current, "REFUND")
            #expect(try await notifications.history(none, asked: "", after: nil, of: app).items.isEmpty)
            let failed = try query(start, scene.time.current, onlyFailures: true)
            #expect(try await notifications.history(failed, asked: "", after: nil, of: app).items.isEmpty)
            scene.time.pass(.seconds(86_400))
            await ServerAPIError.Code.paginationTokenExpired.refuses {
                try await notifications.history(all, asked: "one", after: token, of: app)
            }
        }
    }

    @Test("X3: Who asks for the history has to reach back to what is kept, or 30 days in the sandbox")
    func reach() async throws {
        try await inScene { scene, notifications in
            let (app, now) = (try Self.app.get(), scene.time.current)
            func ask(_ start: Instant) async throws -> Int {
                try await notifications.history(query(start, now + .seconds(1)), asked: "", after: nil, of: app).items
                    .count
            }
            let limit = now - .seconds(30 * 86_400)
            #expect(try await ask(limit) == 0)
            await ServerAPIError.Code.startDateTooFarInPast.refuses { try await ask(limit - .milliseconds(1)) }
            try await setAddress(scene)
            try await request(notifications, scene)
            scene.time.pass(.seconds(40 * 86_400))
            #expect(try await ask(now) == 1)
            await ServerAPIError.Code.startDateTooFarInPast.refuses { try await ask(now - .milliseconds(1)) }
        }
    }

    @Test("X3: Each part of a question about the history has its code")
    func questions() async {
        let cases: [(Int?, Int?, String?, String?, String?, ServerAPIError.Code)] = [
            (nil, 2, nil, nil, nil, .invalidStartDate), (-1, 2, nil, nil, nil, .invalidStartDate),
            (1, nil, nil, nil, nil, .invalidEndDate), (2, 2, nil, nil, nil, .startDateAfterEndDate),
            (1, 2, "1", "TEST", nil, .multipleFiltersSupplied), (1, 2, "x", nil, nil, .invalidTransactionID),
            (1, 2, nil, "RUMOUR", nil, .invalidNotificationType),
            (1, 2, nil, nil, "VOLUNTARY", .invalidNotificationType),
            (1, 2, nil, "EXPIRED", "LOUD", .invalidNotificationType),
        ]
        for (start, end, transaction, type, subtype, code) in cases {
            await code.refuses {
                try ServerNotifications.Query(
                    start: start, end: end, transaction: transaction, type: type, subtype: subtype, onlyFailures: false)
            }
        }
        #expect(throws: Never.self) {
            try ServerNotifications.Query(
                start: 1, end: 2, transaction: nil, type: "EXPIRED", subtype: "VOLUNTARY", onlyFailures: true)
        }
    }
}
