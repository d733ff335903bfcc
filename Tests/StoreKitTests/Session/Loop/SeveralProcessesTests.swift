import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Several processes of one app: here several sessions on the same folders, whose locks keep them apart as processes.
@Suite("Several processes of one app", .bounded)
struct SeveralProcessesTests {
    @Test("Both buy; each is told of its own purchases, and nobody of those that the other looks after")
    func racing() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { one in
            try await bench.withSession { other in
                one.attach()
                other.attach()
                for _ in 1...3 {
                    one.buy(SessionStore.credits)
                    other.buy(SessionStore.credits)
                }
                try await one.until("purchased credits5", times: 3)
                try await other.until("purchased credits5", times: 3)
                let ids = [one, other].flatMap { $0.session.entries.compactMap(\.bought?.id) }
                #expect(Set(ids).count == 6)
                #expect(one.words.filter { $0 == "purchased credits5" }.count == 3)
                #expect(other.words.filter { $0 == "purchased credits5" }.count == 3)
                for app in [one, other] {
                    for entry in app.session.entries { app.session.finish(entry.key) }
                    try await app.untilFinishesAreTold()
                }
            }
        }
        #expect(bench.store.processor.charges == [1, 1, 1, 1, 1, 1])
        let counts = try await bench.store.counts()
        #expect(counts == (6, 0))
    }

    @Test("When a process ends, another one takes over the lease and what waits")
    func takeover() async throws {
        let bench = try await SessionBench(SessionStore())
        let one = SessionClient(try DeviceSession(bench.settings()))
        one.attach()
        one.buy(SessionStore.credits)
        try await one.until("purchased credits5")
        try await bench.withSession { other in
            other.attach()
            #expect(other.words == ["attached"])
            #expect(!other.session.lease.isHeld)
            await one.session.shutDown()
            try await other.until("purchased credits5")
            #expect(other.session.lease.isHeld)
        }
    }

    @Test("What one process finishes is gone in the others")
    func finished() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
        }
        try await bench.withSession { one in
            try await bench.withSession { other in
                one.attach()
                other.attach()
                #expect(other.words == ["attached", "purchased credits5"])
                one.session.finish(try one.last(.purchased).key)
                try await other.until("removed")
                #expect(other.session.entries == [])
            }
        }
    }
}
