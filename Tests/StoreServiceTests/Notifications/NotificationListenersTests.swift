import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

/// Listeners of a sandbox whose wall clock a test moves.
private final class ListenerScene: Sendable {
    let store: EnvironmentStore
    private let time = SceneTime()

    // Safe: only constants above zero.
    static let app = try! AppID(number: 42)
    // Safe: a constant in the form of bundle ids.
    static let bundle = BundleID(SampleStore.bundle)!

    init() async throws {
        store = try .sample(
            of: await SampleStore().databases, processor: ScriptedProcessor(), wall: time.reading)
    }

    var listeners: NotificationListeners {
        NotificationListeners(store) { Array($0.uuid.description.utf8) }
    }

    func pass(_ duration: Duration) { time.pass(duration) }

    func begin(
        _ bundle: BundleID? = nil, named name: String? = nil, after former: NotificationListenerID? = nil,
        by actor: Actor = .owner
    ) async throws -> NotificationListenerID {
        try await listeners.begin(of: bundle, name: name, after: former, store.cause(actor)).id
    }

    /// Writes a notification about an app; nil if nobody is to have it.
    @discardableResult
    func write(_ app: AppID = app) async throws -> NotificationID? {
        let (cause, content) = (store.cause(.store), NotificationContent(bundleId: Self.bundle))
        return try await store.database.write { transaction in
            try Notifications.append(
                .refund, about: NotificationSubject(app: app), cause.change(of: nil, in: transaction)
            ) { content }?.uuid
        }
    }

    func heard(by id: NotificationListenerID, as actor: Actor = .owner) async throws -> [NotificationID] {
        try await listeners.heard(by: id, waitingUpTo: .zero, store.cause(actor)).map(\.told.uuid)
    }

    func answer(_ uuid: NotificationID, by id: NotificationListenerID) async throws {
        let outcome = NotificationOutcome(.unsuccessfulResponseCode, status: 503, detail: "busy", milliseconds: 7)
        try await listeners.answer(uuid, by: id, outcome, store.cause(.owner))
    }

    /// A developer with a token of the sandbox.
    func developer(of team: String) async throws -> Actor {
        try await Actor.bearer(of: .developer, team: TeamID(parsing: team), store.catalogue)
    }

    func refusal(_ body: () async throws -> Void) async -> RefusalCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? any Refusal)?.code
        }
    }
}

@Suite("Receivers that listen to what servers are told", .bounded) struct NotificationListenersTests {
    @Test("X7: One hears what happens from its beginning on, in order, until it has said what became of it")
    func hearing() async throws {
        let scene = try await ListenerScene()
        #expect(try await scene.write() == nil)
        let id = try await scene.begin(ListenerScene.bundle)
        let (first, second) = (try #require(try await scene.write()), try #require(try await scene.write()))
        #expect(try await scene.heard(by: id) == [first, second])
        try await scene.answer(first, by: id)
        try await scene.answer(first, by: id)
        #expect(try await scene.heard(by: id) == [second])
        let attempts = try await NotificationLists(scene.store).show(first, by: .owner).attempts
        #expect(attempts.map(\.receiver) == ["listener/\(id)"] && attempts.first?.status == 503)
    }

    @Test("X7: It hears of its own app alone, and each of several hears all") func ofOneApp() async throws {
        let scene = try await ListenerScene()
        let (one, all) = (try await scene.begin(ListenerScene.bundle), try await scene.begin())
        let other = try #require(try await scene.write(AppID(number: 43)))
        #expect(try await scene.heard(by: one).isEmpty)
        #expect(try await scene.heard(by: all) == [other])
    }

    @Test("X7: One that is not heard of for its lease has ended, and nothing is written for it any more")
    func lease() async throws {
        let scene = try await ListenerScene()
        let id = try await scene.begin()
        scene.pass(NotificationListeners.lease - .seconds(1))
        #expect(try await scene.heard(by: id).isEmpty)
        scene.pass(NotificationListeners.lease - .seconds(1))
        #expect(try await scene.write() != nil)
        scene.pass(.seconds(1))
        #expect(try await scene.write() == nil)
        #expect(await scene.refusal { _ = try await scene.heard(by: id) } == .nameUnknown)
        #expect(try await NotificationListeners.listening(to: ListenerScene.app, of: scene.store).isEmpty)
    }

    @Test("X7: A name goes on with what its living listener has not answered, and begins anew after the lease")
    func takingOver() async throws {
        let scene = try await ListenerScene()
        let former = try await scene.begin(named: "laptop")
        let told = try #require(try await scene.write())
        let next = try await scene.begin(named: "laptop")
        #expect(try await scene.heard(by: next) == [told])
        #expect(await scene.refusal { _ = try await scene.heard(by: former) } == .nameUnknown)
        scene.pass(NotificationListeners.lease)
        let anew = try await scene.begin(named: "laptop")
        #expect(try await scene.heard(by: anew).isEmpty)
    }

    @Test("X7: One whose name another took does not take it back, and begins anew once that one has ended")
    func replaced() async throws {
        let scene = try await ListenerScene()
        let former = try await scene.begin(named: "laptop")
        let next = try await scene.begin(named: "laptop")
        #expect(await scene.refusal { _ = try await scene.begin(named: "laptop", after: former) } == .nameTaken)
        #expect(try await scene.heard(by: next).isEmpty)
        scene.pass(NotificationListeners.lease)
        #expect(await scene.refusal { _ = try await scene.begin(named: "laptop", after: former) } == nil)
    }

    @Test("X7: Nobody else hears or ends a listener, and its end is at once") func ending() async throws {
        let scene = try await ListenerScene()
        let id = try await scene.begin()
        #expect(await scene.refusal { _ = try await scene.heard(by: id, as: .store) } == .nameUnknown)
        try await scene.listeners.end(id, scene.store.cause(.store))
        #expect(try await scene.write() != nil)
        try await scene.listeners.end(id, scene.store.cause(.owner))
        #expect(try await scene.write() == nil)
        #expect(await scene.refusal { _ = try await scene.begin(BundleID("com.example.nobody")) } == .appUnknown)
    }

    @Test("X7: There are so many at once, of which those that ended do not count") func limit() async throws {
        let scene = try await ListenerScene()
        for _ in 0..<NotificationListeners.most { _ = try await scene.begin() }
        #expect(await scene.refusal { _ = try await scene.begin() } == .limitReached)
        scene.pass(NotificationListeners.lease)
        #expect(await scene.refusal { _ = try await scene.begin() } == nil)
    }

    @Test("X7: Whatever others have, a team has a share of them") func shares() async throws {
        let scene = try await ListenerScene()
        for _ in 0..<NotificationListeners.most { _ = try await scene.begin() }
        for team in ["one-team", "other-team"] {
            let actor = try await scene.developer(of: team)
            for _ in 0..<NotificationListeners.share { _ = try await scene.begin(by: actor) }
            #expect(await scene.refusal { _ = try await scene.begin(by: actor) } == .limitReached)
        }
    }
}
