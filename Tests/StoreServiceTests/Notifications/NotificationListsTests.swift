import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Lists of notifications", .bounded) struct NotificationListsTests {
    private func page(
        _ filter: NotificationFilter, after cursor: NotificationCursor? = nil, limit: Int = 10,
        of scene: NotificationScene
    ) async throws -> (ids: [NotificationID], next: NotificationCursor?) {
        let page = try await NotificationLists(scene.store).page(filter, after: cursor, limit: limit)
        return (page.found.map(\.notification.uuid), page.next)
    }

    @Test("X7: Notifications are listed page by page, the newest first, each once", arguments: StoreEngine.allCases)
    func pages(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress()
            var ids: [NotificationID] = []
            for number in 0..<7 {
                // Some are of one moment.
                if number.isMultiple(of: 3) { scene.sales.time.pass(.seconds(1)) }
                ids.append(try await scene.write())
            }
            for filter in [NotificationFilter(app: NotificationScene.app), NotificationFilter()] {
                var (found, cursor): ([NotificationID], NotificationCursor?) = ([], nil)
                repeat {
                    let (page, next) = try await page(filter, after: cursor, limit: 2, of: scene)
                    #expect(page.count == (next == nil ? 1 : 2))
                    found += page
                    cursor = try next.map { try #require(NotificationCursor($0.description)) }
                } while cursor != nil
                #expect(found.count == 7 && Set(found) == Set(ids))
                #expect(found.first == ids.last)
            }
            #expect(try await page(NotificationFilter(app: AppID(rawNumber: 43)), of: scene).ids.isEmpty)
            #expect(NotificationCursor("x_y") == nil && NotificationCursor("1") == nil)
        }
    }

    @Test(
        "X7: What a clock that is ahead has dated is listed where it was written, and for servers where it was signed",
        arguments: StoreEngine.allCases)
    func order(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress()
            let ada = try await scene.sales.customer()
            _ = try await Clocks(scene.store).advance(
                ada.description, by: #require(ClockStep(text: "59m")), scene.store.cause(.owner))
            let ahead = try await scene.write(of: ada)
            scene.sales.time.pass(.seconds(1))
            let later = try await scene.write()
            var filter = NotificationFilter(app: NotificationScene.app)
            #expect(try await page(filter, of: scene).ids == [later, ahead])
            let first = try await page(filter, limit: 1, of: scene)
            #expect(first.ids == [later])
            #expect(try await page(filter, after: first.next, limit: 1, of: scene).ids == [ahead])
            filter.order = .signed
            #expect(try await page(filter, of: scene).ids == [ahead, later])
        }
    }

    @Test(
        "X7: A list is narrowed to a type, a state, a time, a customer or a purchase", arguments: StoreEngine.allCases)
    func filters(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            let (ada, ben) = (try await scene.sales.customer(), try await scene.sales.customer())
            let device = try await scene.sales.device(ada)
            let coins = try await scene.sales.buy(.sample(.consumable), on: device)
            let more = try await scene.sales.buy(.sample(.consumable), on: device)
            try await scene.setAddress()
            let bought = try await scene.sales.transaction(coins.transaction)
            let about = try await scene.write(NotificationSubject(bought))
            let other = try await scene.write(NotificationSubject(try await scene.sales.transaction(more.transaction)))
            scene.sales.time.pass(.seconds(60))
            let bens = try await scene.write(of: ben)
            let sender = scene.sender { request in
                NotificationOutcome(request.id == other ? .timedOut : .success)
            }
            try await scene.running(sender) { try await scene.noted(3) }
            func found(_ change: (inout NotificationFilter) -> Void) async throws -> Set<NotificationID> {
                var filter = NotificationFilter(app: NotificationScene.app)
                change(&filter)
                return Set(try await page(filter, of: scene).ids)
            }
            #expect(try await found { _ in } == [about, other, bens])
            #expect(try await found { $0.type = .refund } == [about, other, bens])
            #expect(try await found { $0.type = .test }.isEmpty)
            #expect(try await found { $0.subtype = .voluntary }.isEmpty)
            #expect(try await found { $0.states = NotificationFilter.failures } == [other])
            #expect(try await found { $0.states = [.delivered] } == [about, bens])
            #expect(try await found { $0.customer = ada } == [about, other])
            #expect(try await found { $0.transaction = bought.id } == [about])
            #expect(try await found { ($0.transaction, $0.customer) = (bought.id, ben) }.isEmpty)
            #expect(try await found { $0.since = SceneTime.start + .seconds(60) } == [bens])
            #expect(try await found { $0.before = SceneTime.start + .seconds(60) } == [about, other])
            let counts = try await NotificationLists(scene.store).counts(of: NotificationScene.app, since: .earliest)
            #expect(counts == [.delivered: 2, .failed: 1])
        }
    }

    @Test("X10: Notifications are kept for their time, with their attempts", arguments: StoreEngine.allCases)
    func removal(_ engine: StoreEngine) async throws {
        try await NotificationScene.on(engine) { scene in
            try await scene.setAddress()
            let old = try await scene.write()
            try await scene.running(scene.sender { _ in NotificationOutcome(.success) }) { try await scene.noted(1) }
            let removal = Removal(scene.store.policy.retention(in: .sandbox), of: scene.store.database)
            scene.sales.time.pass(.seconds(29 * 24 * 60 * 60))
            _ = try await removal.turn(at: scene.sales.time.current)
            #expect(try await scene.find(old).attempts.count == 1)
            scene.sales.time.pass(.seconds(2 * 24 * 60 * 60))
            let new = try await scene.write()
            _ = try await removal.turn(at: scene.sales.time.current)
            #expect(try await page(NotificationFilter(), of: scene).ids == [new])
            #expect(try await scene.sales.count("SELECT count(*) FROM notification_attempt") == 0)
            #expect(scene.store.policy.retention(in: .production).notifications == .seconds(180 * 24 * 60 * 60))
        }
    }
}
