import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("A family consents to apps", .bounded)
struct FamilyConsentTests {
    private static let app = "com.example.app42"

    private func notifications(_ scene: SaleScene) async throws -> [StoredNotification] {
        try await scene.store.database.read {
            try $0.query(
                "SELECT \(StoredNotification.table.columns) FROM notification ORDER BY number",
                row: StoredNotification.init)
        }
    }

    @Test(
        "X3: Of a consent that is withdrawn the developer is told once, and the child buys nothing there until it is given again"
    )
    func withdrawn() async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, child) = (family.scene, family.child.description)
            let (consents, bundle) = (FamilyConsents(scene.store), try BundleID(parsing: Self.app))
            let (device, elsewhere) = try await (scene.device(family.child), scene.device(family.child, app: 43))
            try await scene.store.database.write { transaction in
                try transaction.insert(
                    into: "notification_setting",
                    [
                        "app_id": device.app, "url": "https://a.example/", "version": 2, "retries": false, "set_at": 0,
                        "actor": "owner",
                    ])
            }
            let asked = try await family.ask(family.own, on: device)
            for _ in 0..<2 {
                let found = try await consents.withdraw(from: child, for: bundle, family.cause)
                #expect(found[family.child]?.withdrawnApps == [bundle])
            }
            #expect(try await family.decide(asked.id, true).failure == .consentWithdrawn)
            #expect(try await family.ask(family.own, on: device).failure == .consentWithdrawn)
            #expect(try await family.ask(family.own, on: elsewhere).state == .approval)
            let written = try await notifications(scene)
            #expect(written.map(\.type) == [.rescindConsent] && written.first?.customer == family.child)
            let payload = try NotificationSigner(scene.store).payload(of: #require(written.first))
            #expect(payload.appData?.bundleId == bundle && payload.appData?.environment == .sandbox)
            #expect(payload.data == nil && payload.summary == nil && payload.subtype == nil)
            #expect(try written.first?.told.appTransaction?.appTransactionId == device.appTransaction)
            let given = try await consents.give(to: child, for: bundle, family.cause)
            #expect(given[family.child]?.withdrawnApps == [])
            #expect(try await family.ask(family.own, on: device).state == .approval)
            #expect(try await notifications(scene).count == 1)
        }
    }

    @Test("A consent is withdrawn from a child that has the app, and forgotten when the child leaves the family")
    func children() async throws {
        try await FamilyScene.on(.memory) { family in
            let (scene, bundle) = (family.scene, try BundleID(parsing: Self.app))
            let consents = FamilyConsents(scene.store)
            func refusal(_ customer: CustomerID) async throws -> RefusalCode? {
                do {
                    _ = try await consents.withdraw(from: customer.description, for: bundle, family.cause)
                    return nil
                } catch let error as ServiceError {
                    return error.code
                }
            }
            #expect(try await refusal(family.adult) == .notAllowed)
            #expect(try await refusal(family.child) == .stateWrong)
            let device = try await scene.device(family.child)
            #expect(try await refusal(family.child) == nil)
            try await family.leave(family.child)
            #expect(try await scene.count("SELECT count(*) FROM consent_withdrawal") == 0)
            #expect(try await family.ask(family.own, on: device).failure != .consentWithdrawn)
        }
    }
}
