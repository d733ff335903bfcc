import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// The user name of the app at a restore: no filter, and borne only by what was bought under it.
@Suite("The user name of a restore", .bounded)
struct RestoredNameTests {
    private static let token = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"

    private func restoredName(_ app: SessionClient, as username: String?) async throws -> String? {
        let before = app.words.filter { $0 == "restore finished" }.count
        app.session.restore(applicationUsername: username)
        try await app.until("restore finished", times: before + 1)
        let restored = try app.last(.restored)
        #expect(app.words.filter { $0 == "restored jungle" }.count == before + 1, "\(app.words)")
        app.session.finish(restored.key)
        // What the store takes for unfinished, it lists to the next device.
        try await app.untilFinishesAreTold()
        return restored.payment.username
    }

    private func buyJungle(_ bench: SessionBench, as username: String) async throws {
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.jungle, username: username)
            try await app.until("purchased jungle")
            let bought = try app.last(.purchased)
            #expect(bought.payment.username == username)
            app.session.finish(try app.last(.purchased).key)
            try await app.untilFinishesAreTold()
        }
    }

    @Test("A UUID is known to the store: it comes back as the app writes it, on every device")
    func token() async throws {
        let bench = try await SessionBench(SessionStore())
        try await buyJungle(bench, as: Self.token)
        let signed = Self.token.lowercased()
        for device in [bench, try await SessionBench(bench.store)] {
            try await device.withSession { app in
                app.attach()
                let asked = try await restoredName(app, as: Self.token)
                #expect(asked == Self.token)
                let known = device === bench ? Self.token : signed
                for username in [nil, "somebody", UUID().uuidString] {
                    let found = try await restoredName(app, as: username)
                    #expect(found == known)
                }
            }
        }
    }

    @Test("Another name is known to the device alone on which something was bought")
    func name() async throws {
        let bench = try await SessionBench(SessionStore())
        try await buyJungle(bench, as: "ada")
        for device in [bench, try await SessionBench(bench.store)] {
            try await device.withSession { app in
                app.attach()
                let known = device === bench ? "ada" : nil
                for username in ["ada", nil, "somebody", Self.token] {
                    let found = try await restoredName(app, as: username)
                    #expect(found == known)
                }
            }
        }
    }
}
