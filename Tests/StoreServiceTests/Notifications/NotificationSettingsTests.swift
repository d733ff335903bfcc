import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite("Where notifications go", .bounded) struct NotificationSettingsTests {
    // Safe: a constant in the form of bundle ids.
    private static let bundle = BundleID(SampleStore.bundle)!

    private func store(
        _ environment: StoreEnvironment = .sandbox, of sample: SampleStore, isLocal: Bool = false
    ) throws -> EnvironmentStore {
        var policy = StorePolicy.byTheCalendar
        policy.hasLocalSandbox = isLocal
        return try .sample(
            environment, of: sample.databases, processor: ScriptedProcessor(), wall: { SceneTime.start }, policy: policy
        )
    }

    private func refusal(_ body: () async throws -> Void) async -> (RefusalCode?, String?) {
        do {
            try await body()
            return (nil, nil)
        } catch {
            let refusal = error as? any Refusal
            return (refusal?.code, refusal?.parameter)
        }
    }

    @Test("X7: An address is set, shown, replaced and removed, and each environment has its own")
    func setting() async throws {
        let sample = try await SampleStore()
        let (sandbox, production) = (try store(of: sample), try store(.production, of: sample))
        let settings = NotificationSettings(sandbox)
        let draft = NotificationSettings.Draft(
            url: "https://shop.example/till", version: 1, types: ["REFUND", "DID_RENEW"], retries: true)
        let set = try await settings.set(draft, app: Self.bundle, sandbox.cause(.owner))
        #expect(
            set.setting?.types == [.refund, .didRenew] && set.setting?.version == 1 && set.setting?.retries == true)
        #expect(try await settings.show(app: Self.bundle, by: .owner) == set)
        #expect(try await NotificationSettings(production).show(app: Self.bundle, by: .owner).setting == nil)
        let second = try await settings.set(
            .init(url: "https://other.example"), app: Self.bundle, sandbox.cause(.owner))
        #expect(second.setting?.types == nil && second.setting?.version == 2 && second.setting?.retries == false)
        #expect(try await settings.list(by: .owner, limit: 10) == [second])
        // Production always tries again.
        let other = try await NotificationSettings(production).set(
            .init(url: "https://shop.example"), app: Self.bundle, production.cause(.owner))
        #expect(other.setting?.retries == true)
        #expect(try await settings.remove(app: Self.bundle, sandbox.cause(.owner)).setting == nil)
        #expect(try await settings.show(app: Self.bundle, by: .owner).setting == nil)
        #expect(try await NotificationSettings(production).show(app: Self.bundle, by: .owner).setting != nil)
    }

    @Test("X7: What cannot be sent to, or is never sent, is refused with the field")
    func refusals() async throws {
        let sample = try await SampleStore()
        let (store, local) = (try store(of: sample), try store(of: sample, isLocal: true))
        func refused(_ draft: NotificationSettings.Draft, _ store: EnvironmentStore) async -> String? {
            let (code, parameter) = await refusal {
                _ = try await NotificationSettings(store).set(draft, app: Self.bundle, store.cause(.owner))
            }
            return code == nil ? nil : parameter
        }
        for url in [
            "", "shop.example", "ftp://shop.example/", "https://", "https:///x", "https://shop.example:0/",
            "https://a:b@shop.example/",
            "https://shop.example/#a",
            "https://shop.example/ a", "https://shop.example/" + String(repeating: "a", count: 2000),
            "http://shop.example/", "http://8.8.8.8/",
        ] {
            #expect(await refused(.init(url: url), store) == "url", "\(url)")
        }
        for url in [
            "http://localhost:3000/", "http://127.0.0.1:3000/", "https://10.0.0.1/", "https://[::1]/",
            "https://localhost/",
        ] {
            #expect(await refused(.init(url: url), store) == "url", "\(url)")
            #expect(await refused(.init(url: url), local) == nil, "\(url)")
        }
        for url in ["http://8.8.8.8/", "https://169.254.169.254/", "http://169.254.169.254/"] {
            #expect(await refused(.init(url: url), local) == "url", "\(url)")
        }
        #expect(await refused(.init(url: "https://a.example", version: 3), store) == "version")
        for type in ["METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE", "EXTERNAL_PURCHASE_TOKEN", "RENEWED"] {
            #expect(await refused(.init(url: "https://a.example", types: ["TEST", type]), store) == "types", "\(type)")
        }
        #expect(await refused(.init(url: "https://a.example", types: []), store) == "types")
        let unknown = await refusal {
            _ = try await NotificationSettings(store).set(
                .init(url: "https://a.example"), app: #require(BundleID("com.example.none")), store.cause(.owner))
        }
        #expect(unknown == (.appUnknown, "bundleId"))
    }

    @Test("X7: A developer sets the address of the own team's apps, in the environment of the token alone")
    func rights() async throws {
        let sample = try await SampleStore()
        let (sandbox, production) = (try store(of: sample), try store(.production, of: sample))
        let team = try await sample.databases.catalogue.read { try Catalogue.app(Self.bundle, in: $0) }?.teamID
        func set(_ role: OperatorTokens.Role, _ team: TeamID?, in store: EnvironmentStore) async -> RefusalCode? {
            await refusal {
                let actor = try await Actor.bearer(of: role, team: team, sample.databases.catalogue)
                _ = try await NotificationSettings(store).set(
                    .init(url: "https://a.example"), app: Self.bundle, store.cause(actor))
            }.0
        }
        #expect(await set(.developer, team, in: sandbox) == nil)
        #expect(await set(.developer, team, in: production) == .productionRequired)
        #expect(await set(.support, nil, in: sandbox) == .notAllowed)
        let other = try TeamID(parsing: "other-team")
        #expect(await set(.developer, other, in: sandbox) == .appUnknown)
    }

    @Test("X7: What waits has failed once its app has no address any more")
    func removed() async throws {
        try await NotificationScene.on(.memory) { scene in
            try await scene.sales.enterShop()
            let bundle = try #require(BundleID("com.example.shop"))
            let settings = NotificationSettings(scene.store)
            let owner = scene.store.cause(.owner)
            let app = try await settings.set(.init(url: "https://a.example"), app: bundle, owner).app.id
            let id = try await scene.write(app)
            _ = try await settings.remove(app: bundle, owner)
            #expect(try await scene.find(id).notification.state == .failed)
        }
    }
}
