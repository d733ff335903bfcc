import StoreBackend
import StoreHTTP
import StoreModel
import StoreService
import StoreTestSupport
import Testing

/// A backend asks a whole store, production and sandbox, over memory.
@Suite struct StoreVerifierTests {
    @Test(arguments: StoreEnvironment.allCases)
    func `R5.2: a receipt of either environment is verified with one call, which says whose it is`(
        environment: StoreEnvironment
    ) async throws {
        let asked = try await AskedStore()
        var bought = try SampleTransaction.consumable()
        if environment == .production {
            bought.id = try TransactionID(number: TransactionID.numbers(in: .production).lowerBound + 1)
            bought.originalID = bought.id
        }
        try await asked.store.add([bought], in: environment)
        let verifier = try asked.verifier(asked.connection())
        let payment = try await verifier.verify(asked.appReceipt(in: environment), at: SampleProofs.now)
        #expect(payment.environment == environment)
        #expect(payment.transactions.map(\.transactionID) == [bought.id])
        #expect(payment.transactions.map(\.productID) == [bought.productID])
    }

    @Test func `R5.2: the receipt of a transaction, as the documents send it, is verified too`() async throws {
        let asked = try await AskedStore()
        let bought = try SampleTransaction.consumable()
        try await asked.store.add([bought])
        let proof = try await asked.transactionReceipt(of: bought)
        let payment = try await asked.verifier(asked.connection()).verify(proof, at: SampleProofs.now)
        #expect(payment.transactions.map(\.transactionID) == [bought.id])
        #expect(payment.transactions.first?.revocationDate == nil)
        try await asked.refund(bought.id, at: SampleProofs.now)
        let refunded = try await asked.verifier(asked.connection()).verify(proof, at: SampleProofs.now)
        #expect(refunded.transactions.first?.revocationDate != nil)
        let (before, after) = (payment.transactions.first?.statedAt, refunded.transactions.first?.statedAt)
        #expect(try #require(before) < #require(after))
    }

    @Test func `R5.6: a subscription is told of as it stands now, with the shared secret`() async throws {
        let asked = try await AskedStore()
        let bought = try SampleTransaction.subscription(1)
        try await asked.store.add([bought])
        let payment = try await asked.verifier(asked.connection()).verify(asked.appReceipt(), at: SampleProofs.now)
        let found = try #require(payment.transactions.first)
        #expect(found.subscriptionGroup == bought.groupID && found.appAccountToken == bought.accountToken)
        #expect(found.statedAt >= SampleProofs.now)
        #expect(found.expiresDate.map { $0.millisecondsSinceEpoch / 1000 } == 1_802_678_400)
    }

    @Test func `P12: a signed transaction from before a refund shows the refund, with a key of the store`() async throws
    {
        let asked = try await AskedStore()
        let bought = try SampleTransaction.consumable()
        try await asked.store.add([bought])
        let proof = try asked.signed(bought)
        try await asked.refund(bought.id, at: SampleProofs.now)
        let verifier = try asked.verifier(asked.connection(key: asked.key))
        let payment = try await verifier.verify(proof, at: SampleProofs.now)
        #expect(payment.transactions.first?.revocationDate != nil)
        // By its signature alone it cannot be known.
        let offline = try await asked.verifier(asked.connection()).verify(proof, at: SampleProofs.now)
        #expect(offline.transactions.first?.revocationDate == nil)
        let (before, after) = (offline.transactions.first?.statedAt, payment.transactions.first?.statedAt)
        #expect(try #require(before) < #require(after))
    }

    @Test func `P12: what of a receipt was refunded since it was made is asked for with a key`() async throws {
        let first = try SampleTransaction.consumable()
        let second = try SampleTransaction.consumable(2)
        let payload = second.payload(in: .sandbox, appTransaction: nil, signedAt: SampleProofs.now)
        var refunded = payload
        refunded.revocationDate = SampleProofs.now
        let receipt = """
            {"environment":"Sandbox","status":0,"receipt":{"bundle_id":"com.example.monkey",
            "request_date_ms":"1800000900000","receipt_creation_date_ms":"1800000060000","in_app":[
            {"quantity":"1","product_id":"com.example.monkey.coins","transaction_id":"\(first.id)",
            "purchase_date_ms":"1800000000000"},
            {"quantity":"1","product_id":"com.example.monkey.coins","transaction_id":"\(second.id)",
            "purchase_date_ms":"1800000000000"}]}}
            """
        let page = { (signed: [String], hasMore: Bool) in
            let list = signed.map { "\"\($0)\"" }.joined(separator: ",")
            return ScriptedStore.Answer.json(
                #"{"signedTransactions":[\#(list)],"revision":"next","hasMore":\#(hasMore)}"#)
        }
        let scripted = ScriptedStore(
            .json(receipt), page([], true), page([try SampleProofs.signed(refunded)], false))
        let asked = try await AskedStore()
        let verifier = try StoreVerifier(
            .scripted([.sandbox: scripted], key: asked.key), bundleIDs: [SampleProofs.bundleID()],
            roots: [SampleProofs.pinned(.sandbox)])
        let payment = try await verifier.verify(SampleProofs.receipt(), at: SampleProofs.now)
        #expect(payment.transactions.map(\.revocationDate) == [nil, SampleProofs.now])
        #expect(payment.transactions.last?.statedAt == SampleProofs.now)
        #expect(
            scripted.asked.map(\.target) == [
                "/verifyReceipt", "/inApps/v2/refund/lookup/\(first.id)",
                "/inApps/v2/refund/lookup/\(first.id)?revision=next",
            ])
    }

    @Test func `a receipt is taken where the interface knows nothing of it, and refused where refunds never end`()
        async throws
    {
        let receipt = """
            {"environment":"Sandbox","status":0,"receipt":{"bundle_id":"com.example.monkey",
            "request_date_ms":"1800000900000","receipt_creation_date_ms":"1800000060000","in_app":[
            {"quantity":"1","product_id":"com.example.monkey.coins","transaction_id":"1000000000000001",
            "purchase_date_ms":"1800000000000"}]}}
            """
        let asked = try await AskedStore()
        let endless = ScriptedStore.Answer.json(#"{"signedTransactions":[],"revision":"next","hasMore":true}"#)
        for (answer, code) in [
            (ScriptedStore.Answer.error(4_040_010), BackendError.Code?.none), (endless, .untrustedProof),
        ] {
            let scripted = ScriptedStore(.json(receipt), answer)
            let verifier = try asked.verifier(.scripted([.sandbox: scripted], key: asked.key))
            #expect(await SampleProofs.refusal(of: try SampleProofs.receipt(), by: verifier)?.code == code)
            #expect(scripted.asked.count <= 1 + StoreVerifier.mostRefunds)
        }
    }

    @Test func `a store that answers with another transaction than was asked for is not believed`() async throws {
        let other = try SampleProofs.signed(SampleProofs.transaction(.sandbox, 2))
        let scripted = ScriptedStore(.json(#"{"signedTransactionInfo":"\#(other)"}"#))
        let asked = try await AskedStore()
        let verifier = try asked.verifier(.scripted([.sandbox: scripted], key: asked.key))
        let proof = SampleProofs.proof(try SampleProofs.signed(SampleProofs.transaction()))
        #expect(await SampleProofs.refusal(of: proof, by: verifier)?.code == .storeUnavailable)
    }

    @Test func `R5.9: receipts of another store, another app and the sandbox alone are refused`() async throws {
        let asked = try await AskedStore()
        let forged = try SampleProofs.receipt(by: SampleKeys.ofAnotherStore(.sandbox))
        let verifier = try asked.verifier(asked.connection())
        #expect(await SampleProofs.refusal(of: forged, by: verifier)?.code == .untrustedProof)
        let foreign = try StoreVerifier(
            asked.connection(), bundleIDs: [SampleProofs.bundleID("com.example.torch")])
        let receipt = try await asked.appReceipt()
        #expect(await SampleProofs.refusal(of: receipt, by: foreign)?.code == .wrongApp)
        let production = try asked.verifier(asked.connection([.production]))
        #expect(await SampleProofs.refusal(of: receipt, by: production)?.code == .wrongEnvironment)
    }

    @Test func `a signed transaction needs a root, and a shared secret has to be the right one`() async throws {
        let asked = try await AskedStore()
        let verifier = try StoreVerifier(asked.connection(key: asked.key), bundleIDs: [SampleProofs.bundleID()])
        let proof = try asked.signed(SampleTransaction.consumable())
        #expect(await SampleProofs.refusal(of: proof, by: verifier)?.code == .untrustedProof)
        try await asked.store.add([try SampleTransaction.subscription(1)])
        let scripted = StoreConnection.scripted([.sandbox: ScriptedStore(.json(#"{"status":21004}"#))])
        let error = await SampleProofs.refusal(of: try await asked.appReceipt(), by: try asked.verifier(scripted))
        #expect(error?.code == .storeKeyRefused)
    }
}
