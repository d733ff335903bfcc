import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue
@testable import StoreService

/// R6.4: the developer's server is told of new versions of hosted content, if it asks for that.
@Suite(.bounded) struct ContentNewsTests {
    @Test("R6.4: a version is told once in each environment, when that delivers it", arguments: StoreEngine.allCases)
    func once(engine: StoreEngine) async throws {
        try await Self.on(engine, types: "REFUND TILL_CONTENT_VERSION") { scene in
            let pushed = try await scene.content.push("1.0")
            try await scene.work()
            #expect(try await scene.versions(.sandbox) == ["1.0"])
            #expect(try await scene.versions(.production).isEmpty)
            try await scene.content.approve()
            try await scene.work()
            #expect(try await scene.versions(.production) == ["1.0"])
            // A turn whose process ended before it was settled is repeated.
            let news = scene.news
            for environment in StoreEnvironment.allCases {
                try await news.tell(of: DeliveredContent(pushed, in: environment))
            }
            _ = try await scene.content.push("1.1")
            try await scene.work()
            #expect(try await scene.versions(.sandbox) == ["1.0", "1.1"])
            #expect(try await scene.versions(.production) == ["1.0"])
        }
    }

    @Test("R6.4: it is not told where the settings do not name it, not even to those who listen to all")
    func unnamed() async throws {
        for types in [nil, "REFUND TEST"] {
            try await Self.on(.memory, types: types) { scene in
                let until = scene.content.now + .seconds(1_000_000_000)
                for store in scene.stores.values {
                    try await store.database.write { transaction in
                        try transaction.insert(
                            into: "notification_listener",
                            ["id": 1, "actor": "owner", "begun_at": 0, "leased_until": until])
                    }
                }
                _ = try await scene.content.push("1.0")
                try await scene.content.approve()
                #expect(try await scene.work() == 2)
                #expect(try await scene.versions(.sandbox).isEmpty)
                #expect(try await scene.versions(.production).isEmpty)
            }
        }
    }

    @Test("R6.4: what is sent says which product and version it is, and nothing of anybody's purchase")
    func payload() async throws {
        try await Self.on(.memory, types: "TILL_CONTENT_VERSION") { scene in
            let pushed = try await scene.content.push("2.5")
            try await scene.work()
            let store = try #require(scene.stores[.sandbox])
            let told = try #require(try await scene.told(.sandbox).first)
            let payload = try NotificationSigner(store).payload(of: told)
            let data = try #require(payload.data)
            #expect(payload.notificationType.rawValue == "TILL_CONTENT_VERSION")
            #expect(data.hostedContent?.productId == scene.content.productID)
            #expect(data.hostedContent?.contentVersion.text == "2.5")
            #expect(data.hostedContent?.contentLength == pushed.archive?.bytes)
            #expect(data.bundleId.text == CatalogueSample.bundleID)
            #expect(data.signedTransactionInfo == nil && data.status == nil && told.customer == nil)
            // Version 1 has no form of it.
            #expect(NotificationTypeV1(told.type, told.subtype, renews: false) == nil)
        }
    }

    private static func on(
        _ engine: StoreEngine, types: String?, _ body: (Scene) async throws -> Void
    ) async throws {
        try await engine.withStore { databases in
            let content = try await ContentScene(databases)
            var stores: [StoreEnvironment: EnvironmentStore] = [:]
            for environment in StoreEnvironment.allCases {
                try await databases[environment].write { transaction in
                    try StoreProperty.beginFirstEpoch("first", in: transaction)
                    try transaction.insert(
                        into: "notification_setting",
                        [
                            "app_id": 1, "url": "https://example.com/", "version": 2, "types": types,
                            "retries": false, "set_at": 0, "actor": "owner",
                        ])
                }
                stores[environment] = try SaleScene(databases, environment: environment).store
            }
            try await body(Scene(content: content, stores: stores))
        }
    }

    private struct Scene {
        let content: ContentScene
        let stores: [StoreEnvironment: EnvironmentStore]

        var news: ContentNews {
            let stores = stores
            return ContentNews(content.catalogue) { stores[$0] }
        }

        /// Does what is due; returns how many turns there were.
        @discardableResult
        func work() async throws -> Int {
            let now = content.now
            let scheduler = WorkScheduler(
                content.catalogue, handlers: [news.handler], name: UUID().uuidString, wallTime: { now })
            let results = try await scheduler.runRound(clock: .wall, at: now)
                .filter { $0.turn.work.kind == DeliveredContent.work }
            #expect(results.allSatisfy { $0.error == nil })
            return results.count
        }

        func told(_ environment: StoreEnvironment) async throws -> [StoredNotification] {
            try await #require(stores[environment]).database.read { transaction in
                try transaction.query(
                    "SELECT \(StoredNotification.table.columns) FROM notification ORDER BY number",
                    row: StoredNotification.init)
            }
        }

        /// The versions that were told.
        func versions(_ environment: StoreEnvironment) async throws -> [String] {
            try await told(environment).map { try $0.told.hostedContent?.contentVersion.text ?? $0.type.rawValue }
        }
    }
}
