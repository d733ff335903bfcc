import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// The clock of the store on the device.
@Suite("The time of the store", .bounded)
struct StoreTimeTests {
    @Test("X4: The device shows the clock of its store, which others move, and goes on with it without a network")
    func moved() async throws {
        let bench = try await SessionBench(SessionStore())
        let start = SessionTime.start
        let later = start + .seconds(40 * 24 * 60 * 60)
        try await bench.withSession { app in
            _ = try await app.session.device.device()
            #expect(app.session.environmentTime == start)
            _ = try await bench.store.control("PATCH", "/clock", ["time": later.millisecondsSinceEpoch])
            _ = try await bench.store.control("PATCH", "/clock", ["rate": 86_400_000])
            _ = try await app.session.device.device()
            #expect(app.session.environmentTime == later)
        }
        // Relaunched, and nothing to be asked: a day in each second.
        let connection = SteeredConnection(bench.connection) { _, _ throws(ConnectionError) in throw .lost }
        try await bench.withSession(connection: connection) { app in
            bench.store.time.pass(.seconds(3))
            #expect(app.session.environmentTime == later + .seconds(3 * 24 * 60 * 60))
        }
        try await bench.withSession { app in
            _ = try await bench.store.control("PATCH", "/clock", ["rate": 0])
            _ = try await app.session.device.device()
            let frozen = app.session.environmentTime
            bench.store.time.pass(.seconds(3))
            #expect(app.session.environmentTime == frozen)
        }
    }
}
