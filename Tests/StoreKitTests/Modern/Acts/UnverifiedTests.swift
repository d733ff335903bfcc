import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What the modern API makes of transactions whose signature is not good.
@Suite("X1: Transactions that are not verified", .bounded)
struct UnverifiedTests {
    @Test(
        "A purchase whose answer has a bad signature is an unverified success, and comes by updates once it has a good one"
    )
    func purchase() async throws {
        let bench = try await SessionBench(SessionStore())
        let forged = ForgedSignatures(bench.connection) { $0.hasPrefix("/purchases") }
        try await bench.withApp(connection: forged) { client in
            let result = try await bench.product(SessionStore.jungle).purchase()
            let bought = try unverified(result)
            #expect(bought.productID == SessionStore.jungle)
            #expect(try client.session.journal.payments() == [])
            #expect(try client.session.journal.unverified().map { UInt64($0.id.number) } == [bought.id])
            // The events bring it with a good signature, and what purchase() has returned is not told before.
            var updates = Transaction.updates.makeAsyncIterator()
            let told = try #require(await updates.next()).payloadValue
            #expect(told.id == bought.id)
            #expect(try client.session.journal.unverified() == [])
            #expect(await Transaction.unfinished.ids == [bought.id])
            #expect(await Transaction.currentEntitlements.ids == [bought.id])
        }
        #expect(bench.store.processor.charges == [1])
    }

    @Test("It stays unfinished: every launch tells it once as unverified, until the app finishes it")
    func launches() async throws {
        let bench = try await SessionBench(SessionStore())
        let forged = ForgedSignatures(bench.connection) { _ in true }
        let bought = try await bench.withApp(connection: forged) { _ in
            let bought = try unverified(try await bench.product(SessionStore.credits).purchase())
            #expect(await Transaction.unfinished.ids == [bought.id])
            #expect(await Transaction.all(for: SessionStore.credits).ids == [bought.id])
            #expect(await Transaction.all(for: SessionStore.jungle).ids == [])
            return bought
        }
        for isLast in [false, true] {
            try await bench.withApp(connection: forged) { client in
                var updates = Transaction.updates.makeAsyncIterator()
                let told = try #require(await updates.next())
                #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
                    try told.payloadValue
                }
                #expect(told.unsafePayloadValue.id == bought.id)
                // Observers of the queue, who cannot see that it is not verified, do not hear of it.
                #expect(client.session.entries == [])
                guard isLast else { return }
                await told.unsafePayloadValue.finish()
                #expect(await Transaction.unfinished.ids == [])
                try await client.untilFinishesAreTold()
            }
        }
        #expect(try await bench.store.counts().unfinished == 0)
        #expect(bench.store.processor.charges == [1])
    }

    @Test("What somebody else sold with a bad signature is verified once the profile has other roots")
    func otherRoots() async throws {
        let bench = try await SessionBench(SessionStore())
        let forged = ForgedSignatures(bench.connection) { _ in true }
        try await bench.withApp(connection: forged) { client in
            try await client.signIn()
            try await bench.store.sell(SessionStore.jungle)
            var updates = Transaction.updates.makeAsyncIterator()
            let told = try #require(await updates.next())
            #expect(throws: VerificationResult<Transaction>.VerificationError.self) { try told.payloadValue }
            // A session under another profile comes after this one.
            try client.session.journal.believe("other roots")
        }
        try await bench.withApp { client in
            var updates = Transaction.updates.makeAsyncIterator()
            var told: [VerificationResult<Transaction>] = []
            repeat { told.append(try #require(await updates.next())) } while (try? told.last?.payloadValue) == nil
            #expect(try told.last?.payloadValue.productID == SessionStore.jungle)
            #expect(try client.session.journal.unverified() == [])
        }
    }

    @Test(
        "The queue of the original API, which has no word for it, fails the payment; the transaction stays unfinished")
    func original() async throws {
        let bench = try await SessionBench(SessionStore())
        let forged = ForgedSignatures(bench.connection) { _ in true }
        try await bench.withApp(connection: forged) { client in
            client.attach()
            client.buy(SessionStore.credits)
            try await client.until("failed credits5: signature_untrusted")
            var updates = Transaction.updates.makeAsyncIterator()
            #expect(await updates.next()?.unsafePayloadValue.productID == SessionStore.credits)
        }
        #expect(try await bench.store.counts().unfinished == 1)
    }

    @Test("A bad answer does not take the place of a transaction that was verified")
    func replaced() async throws {
        let bench = try await SessionBench(SessionStore())
        let isForging = Shared(false)
        let forged = ForgedSignatures(bench.connection) { _ in isForging.value }
        try await bench.withApp(connection: forged) { client in
            let bought = try await bench.product(SessionStore.jungle).purchase().bought()
            let kept = try #require(try client.session.journal.transaction(TransactionID(number: Int64(bought.id))))
            let bad = try #require(UnverifiedTransaction(ForgedSignatures.forged(kept.signed)))
            try client.session.journal.keep(bad)
            #expect(try client.session.journal.unverified() == [])
            // Everything is read anew, and nothing of it is verified.
            isForging.set(true)
            try client.session.journal.set([.cursor: nil])
            try await client.session.catchUp()
            let all = try client.session.journal.unverified().count + client.session.journal.history().count
            #expect(all == 1)
        }
    }

    private func unverified(_ result: Product.PurchaseResult) throws -> Transaction {
        guard case .success(.unverified(let transaction, let error)) = result else {
            throw Product.PurchaseResult.UnexpectedResult(text: "\(result)")
        }
        #expect(error == .invalidSignature)
        return transaction
    }
}

/// A network on which somebody changes the signatures of transactions.
private struct ForgedSignatures: StoreConnection {
    private let inner: any StoreConnection
    private let isMeant: @Sendable (String) -> Bool

    /// - Parameter isMeant: for the path of a request, whether its answer is changed.
    init(_ inner: any StoreConnection, where isMeant: @escaping @Sendable (String) -> Bool) {
        (self.inner, self.isMeant) = (inner, isMeant)
    }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        var answer = try await inner.send(request)
        guard isMeant(request.path) else { return answer }
        // Every other part is between quotation marks.
        let parts = String(decoding: answer.body, as: UTF8.self).components(separatedBy: "\"")
        let isSigned = { (part: String) in part.hasPrefix("eyJ") && part.count { $0 == "." } == 2 }
        answer.body = Array(parts.map { isSigned($0) ? Self.forged($0) : $0 }.joined(separator: "\"").utf8)
        return answer
    }

    /// Another signature of the same length.
    static func forged(_ jws: String) -> String {
        var bytes = Array(jws.utf8)
        let place = bytes.count - 40
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
