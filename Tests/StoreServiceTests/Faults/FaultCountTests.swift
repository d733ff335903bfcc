import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("Servers of one database count faults as one (X12)", .bounded)
struct FaultCountTests {
    @Test(
        "Every fourth of twenty calls at two servers is struck, and each change is signalled",
        arguments: StoreEngine.allCases)
    func twoServers(_ engine: StoreEngine) async throws {
        try await SaleScene.on(engine) { scene in
            let editing = FaultEditing(scene.store)
            let one = try #require(scene.store.faults)
            let other = try #require(Faults(.sandbox, scene.store.database, log: scene.store.log))
            var changes = try await scene.store.database.signals(on: .faults).makeAsyncIterator()
            var terms = FaultTerms()
            (terms.status, terms.every, terms.path) = (500, 4, "/a/*")
            let added = try await editing.add(terms, scene.store.cause(.owner))
            #expect(await changes.next() != nil)
            try await other.load()
            #expect(one.about(path: "/b", method: "GET").isEmpty && !one.isEmpty)
            let struck = try await withThrowingTaskGroup(of: Bool.self) { group in
                for call in 0..<20 {
                    let faults = call.isMultiple(of: 2) ? one : other
                    group.addTask {
                        let about = faults.about(path: "/a/1", method: "GET")
                        return try await faults.strike(about, app: nil, customer: nil) != nil
                    }
                }
                return try await group.reduce(into: 0) { if $1 { $0 += 1 } }
            }
            #expect(struck == 5)
            let kept = try await editing.list()
            #expect(kept.map(\.id) == [added.id] && kept.first?.counted == 20 && kept.first?.struck == 5)
            #expect(try await editing.clear(scene.store.cause(.owner)) == 1)
            #expect(await changes.next() != nil)
            try await other.load()
            #expect(other.isEmpty)
        }
    }

    @Test("A fault of notifications strikes those of its type, app and customer, and none once it is over")
    func notifications() async throws {
        try await SaleScene.on(.memory) { scene in
            let (customer, app) = (try await scene.customer(), try AppID(number: 42))
            let faults = try #require(scene.store.faults)
            var terms = FaultTerms()
            (terms.notifications, terms.notificationType, terms.times) = (true, "DID_RENEW", 1)
            (terms.duplicate, terms.customer) = (true, customer.description)
            _ = try await FaultEditing(scene.store).add(terms, scene.store.cause(.owner))
            #expect(try await faults.strike(notification: "REFUND", of: app, to: customer) == nil)
            #expect(try await faults.strike(notification: "DID_RENEW", of: app, to: nil) == nil)
            let strike = try await faults.strike(notification: "DID_RENEW", of: app, to: customer)
            #expect(strike?.effect == .duplicate && strike?.delay == .zero)
            #expect(try await faults.strike(notification: "DID_RENEW", of: app, to: customer) == nil)
            #expect(try await FaultEditing(scene.store).list().map(\.isOver) == [true])
        }
    }
}
