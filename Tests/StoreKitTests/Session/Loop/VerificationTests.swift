import Foundation
import StoreModel
import StoreSQLite
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreKit

/// How often signatures are verified, which is counted, and what is believed without being verified again.
@Suite("Signatures of transactions", .bounded)
struct VerificationTests {
    @Test("Each is verified once in a process, whatever the app does with the transaction")
    func once() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            for product in [SessionStore.jungle, SessionStore.club, SessionStore.credits] {
                app.buy(product)
                try await app.until("purchased \(try #require(product.split(separator: ".").last))")
            }
            try await bench.store.sell()
            try await app.until("purchased credits5", times: 2)
            // Everything that waits is looked at anew, and everything is asked for anew.
            app.session.bringUpToDate(all: true)
            try app.session.journal.set([.cursor: nil])
            try await app.session.catchUp()
            try await app.finishEverything(of: bench.store)
            try await app.session.catchUp()
        }
        let texts = bench.verified.lines
        #expect(texts.count >= 4 && Set(texts).count == texts.count)
    }

    @Test("A launch verifies what waits for the app, each once, and nothing of what is finished")
    func launch() async throws {
        let bench = try await SessionBench(SessionStore())
        let waiting = try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.club)
            try await app.until("purchased club")
            try await app.finishEverything(of: bench.store)
            for product in [SessionStore.jungle, SessionStore.credits] {
                app.buy(product)
                try await app.until("purchased \(try #require(product.split(separator: ".").last))")
            }
            // The store signs anew what it tells in its events.
            try await app.session.catchUp()
            return try app.session.journal.news(after: nil).changed.map(\.signed)
        }
        let before = bench.verified.lines.count
        try await bench.withSession { app in
            let entries = app.session.entries
            let isCarried = entries.map(\.bought?.verified?.signed) == waiting
            #expect(isCarried && waiting.count == 2)
            #expect(entries.map(\.bought?.verified?.payload.productId.text) == entries.map(\.payment.product))
            let isEachOnce = bench.verified.lines.dropFirst(before).sorted() == waiting.sorted()
            #expect(isEachOnce)
        }
    }

    @Test("A restore of several pages verifies each period and what it restores once")
    func restore() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.club)
            try await app.until("purchased club")
            let first = try #require(try app.last(.purchased).bought?.id)
            for _ in 1...3 {
                bench.store.commerce.set(bench.store.commerce.value + .seconds(60))
                _ = try await bench.store.control("POST", "/subscriptions/\(first)/renewal")
            }
            try await app.until("purchased club", times: 4)
            try await app.finishEverything(of: bench.store)
        }
        let other = try await SessionBench(bench.store)
        try await other.withSession { app in
            app.attach()
            app.session.restore(applicationUsername: nil)
            try await app.until("restore finished")
            #expect(app.session.entries.count == 4)
            try await app.session.catchUp()
            let texts = other.verified.lines
            #expect(texts.count >= 8 && Set(texts).count == texts.count)
        }
    }

    @Test("A row that another program has changed is not believed")
    func changedRow() async throws {
        let bench = try await SessionBench(SessionStore())
        let path = try await bench.withSession { app in
            app.attach()
            for product in [SessionStore.jungle, SessionStore.credits] {
                app.buy(product)
                try await app.until("purchased \(try #require(product.split(separator: ".").last))")
            }
            return app.session.journal.path
        }
        // One row gets what is signed of the other, whose signature is good.
        try SQLiteConnection(.file(path)).run(
            "UPDATE bought SET signed = (SELECT signed FROM bought ORDER BY id LIMIT 1)")
        try await bench.withSession { app in
            #expect(app.session.entries.map(\.payment.product) == [SessionStore.jungle])
        }
    }

    @Test("What was verified is remembered for its very bytes: with any of them changed it is verified, and refused")
    func changedBytes() async throws {
        let bench = try await SessionBench(SessionStore())
        let signed = try await signedTransaction(bench)
        let counted = Transcript()
        let verifier = TransactionVerifier(bench.profile) { counted.write($0) }
        for _ in 1...2 { #expect(try verifier.verified(signed).payload.productId.text == SessionStore.jungle) }
        #expect(counted.lines.count == 1)
        for place in stride(from: 0, to: signed.utf8.count, by: 97) {
            var bytes = Array(signed.utf8)
            bytes[place] = bytes[place] == UInt8(ascii: "B") ? UInt8(ascii: "C") : UInt8(ascii: "B")
            let changed = String(decoding: bytes, as: UTF8.self)
            #expect(throws: (any Error).self, "the byte \(place)") { try verifier.verified(changed) }
        }
        // The sign of the kelvin is the letter K to Swift, and no character of a signature.
        let alike = signed.replacing("K", with: "\u{212A}")
        #expect(alike.utf8.count > signed.utf8.count)
        #expect(throws: (any Error).self) { try verifier.verified(alike) }
    }

    @Test("What a profile's roots have signed is not believed under a profile without them")
    func otherRoots() async throws {
        let bench = try await SessionBench(SessionStore())
        let signed = try await signedTransaction(bench)
        _ = try TransactionVerifier(bench.profile).verified(signed)
        let (own, keys) = (bench.profile.content, try SampleKeys.ofAnotherStore(.sandbox))
        let profile = ProvisioningProfile(
            bundleId: own.bundleId, appId: own.appId, environment: own.environment, storeUrl: own.storeUrl,
            jwsRoots: (keys.roots[.jws] ?? []).map { $0.derRepresentation.base64 },
            receiptRoots: own.receiptRoots, capabilitiesRevision: own.capabilitiesRevision,
            signedDate: SessionTime.start)
        let text = try keys.jwsSigner().sign(encoding: profile, at: SessionTime.start)
        let renewed = TransactionVerifier(try SessionProfile(text, bundle: nil))
        #expect(throws: (any Error).self) { try renewed.verified(signed) }
    }

    private func signedTransaction(_ bench: SessionBench) async throws -> String {
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
            return try #require(try app.last(.purchased).bought?.verified?.signed)
        }
    }
}

extension [UInt8] {
    fileprivate var base64: String { Data(self).base64EncodedString() }
}
