import Foundation
import StoreBackend
import StoreHTTP
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// What `verifyReceipt` answers, in the words of Apple's documentation, and what a backend makes of it.
@Suite struct VerifyReceiptAnswerTests {
    private static func verifier(_ connection: StoreConnection) throws -> StoreVerifier {
        try StoreVerifier(connection, bundleIDs: [SampleProofs.bundleID()])
    }

    /// The answer to an app receipt with a subscription, shortened to what Apple documents of each member.
    private static func answer(_ environment: String = "Sandbox", bundle: String = "com.example.monkey") -> String {
        """
        {"environment":"\(environment)","status":0,"receipt":{"receipt_type":"ProductionSandbox","adam_id":0,
        "bundle_id":"\(bundle)","application_version":"1","request_date_ms":"1800000900000",
        "receipt_creation_date_ms":"1800000060000","in_app":[
        {"quantity":"3","product_id":"com.example.monkey.coins","transaction_id":"2000000000000001",
        "original_transaction_id":"2000000000000001","purchase_date":"2027-01-15 08:00:00 Etc/GMT",
        "purchase_date_ms":"1800000000000","original_purchase_date_ms":"1800000000000","is_trial_period":"false"},
        {"quantity":"1","product_id":"com.example.monkey.hat","transaction_id":"2000000000000002",
        "original_transaction_id":"2000000000000002","purchase_date_ms":"1800000000000",
        "original_purchase_date_ms":"1800000000000","cancellation_date_ms":"1800000500000",
        "in_app_ownership_type":"FAMILY_SHARED"},
        {"quantity":"1","product_id":"com.example.monkey.club","transaction_id":"2000000000000003",
        "original_transaction_id":"2000000000000003","purchase_date_ms":"1800000000000",
        "original_purchase_date_ms":"1800000000000","expires_date_ms":"1802592000000"}]},
        "latest_receipt_info":[
        {"quantity":"1","product_id":"com.example.monkey.club","transaction_id":"2000000000000004",
        "original_transaction_id":"2000000000000003","purchase_date_ms":"1802592000000",
        "original_purchase_date_ms":"1800000000000","expires_date":"2027-03-17 08:00:00 Etc/GMT",
        "expires_date_ms":"1805270400000","subscription_group_identifier":"20001"},
        {"quantity":"1","product_id":"com.example.monkey.club","transaction_id":"2000000000000003",
        "original_transaction_id":"2000000000000003","purchase_date_ms":"1800000000000",
        "original_purchase_date_ms":"1800000000000","expires_date_ms":"1802592000000","is_upgraded":"true"}],
        "pending_renewal_info":[{"auto_renew_status":"1"}],"latest_receipt":"MII"}
        """
    }

    @Test func `R5.2: production is asked first, and the sandbox where that says 21007`() async throws {
        let production = ScriptedStore(.json(#"{"status":21007}"#))
        let sandbox = ScriptedStore(.json(Self.answer()))
        let connection = StoreConnection.scripted(
            [.production: production, .sandbox: sandbox], sharedSecrets: [.sandbox: "secret"])
        let proof = try SampleProofs.receipt()
        let payment = try await Self.verifier(connection).verify(proof, at: SampleProofs.now)
        #expect(payment.environment == .sandbox)
        #expect(production.asked.count == 1 && sandbox.asked.count == 1)
        let asked = try #require(sandbox.asked.first)
        #expect(asked.method == "POST" && asked.target == "/verifyReceipt")
        let body = try JSONSerialization.jsonObject(with: Data(asked.body.bytes)) as? [String: String]
        #expect(body?["receipt-data"].flatMap { Data(base64Encoded: $0) } == Data(proof.bytes))
        #expect(body?["password"] == "secret" && body?.count == 2)
    }

    @Test func `R5.5: what is told as of now counts more than what the receipt said`() async throws {
        let connection = StoreConnection.scripted([.sandbox: ScriptedStore(.json(Self.answer()))])
        let payment = try await Self.verifier(connection).verify(SampleProofs.receipt(), at: SampleProofs.now)
        let found = Dictionary(
            uniqueKeysWithValues: payment.transactions.map { ($0.transactionID.number % 10, $0) })
        #expect(found.count == 4)
        let asked = Instant(millisecondsSinceEpoch: 1_800_000_900_000)
        // The receipt alone vouches for it, as of when it was made.
        #expect(found[1]?.quantity == 3 && found[1]?.statedAt == SampleProofs.receiptAt)
        #expect(found[1]?.revocationDate == nil && found[1]?.ownership == .purchased)
        // That it was taken back is known as of now.
        #expect(found[2]?.revocationDate == Instant(millisecondsSinceEpoch: 1_800_000_500_000))
        #expect(found[2]?.statedAt == asked && found[2]?.ownership == .familyShared)
        #expect(found[3]?.isUpgraded == true && found[3]?.statedAt == asked)
        #expect(found[4]?.originalTransactionID == found[3]?.transactionID)
        #expect(found[4]?.expiresDate == Instant(millisecondsSinceEpoch: 1_805_270_400_000))
        #expect(found[4]?.subscriptionGroup?.text == "20001")
    }

    @Test func `the receipt of a transaction is answered with that and the latest period`() async throws {
        let body = """
            {"environment":"Production","status":STATUS,"receipt":{"quantity":"1","bid":"com.example.monkey",
            "product_id":"com.example.monkey.club","transaction_id":"170000000000001",
            "original_transaction_id":"170000000000001","purchase_date_ms":"1800000000000",
            "original_purchase_date_ms":"1800000000000","expires_date":"1802592000000"},
            "MEMBER":{"quantity":"1","bid":"com.example.monkey",
            "product_id":"com.example.monkey.club","transaction_id":"170000000000002",
            "original_transaction_id":"170000000000001","purchase_date_ms":"1802592000000",
            "original_purchase_date_ms":"1800000000000","expires_date":"1805270400000",
            "cancellation_date_ms":"1803000000000"},"auto_renew_status":0}
            """
        for (status, member) in [("0", "latest_receipt_info"), ("21006", "latest_expired_receipt_info")] {
            let answer = body.replacing("STATUS", with: status).replacing("MEMBER", with: member)
            let connection = StoreConnection.scripted([.production: ScriptedStore(.json(answer))])
            let proof = try SampleProofs.transactionReceipt(.production)
            let payment = try await Self.verifier(connection).verify(proof, at: SampleProofs.now)
            #expect(payment.transactions.map { $0.transactionID.number % 10 } == [1, 2], "\(status)")
            #expect(payment.transactions[0].expiresDate == Instant(millisecondsSinceEpoch: 1_802_592_000_000))
            #expect(payment.transactions[1].statedAt == Instant(millisecondsSinceEpoch: 1_803_000_000_000))
        }
    }

    @Test(arguments: [
        (#"{"status":21003}"#, BackendError.Code.untrustedProof, 1), (#"{"status":21004}"#, .storeKeyRefused, 1),
        (#"{"status":21010}"#, .unknownTransaction, 1), (#"{"status":21005}"#, .storeUnavailable, 3),
        (#"{"status":21009}"#, .storeUnavailable, 3),
        (#"{"status":21100,"is-retryable":true}"#, .storeUnavailable, 3),
        (#"{"status":21199,"is-retryable":1}"#, .storeUnavailable, 3),
        (#"{"status":21150,"is-retryable":0}"#, .untrustedProof, 1),
        // The receipt is well formed, so it is the store that has a problem.
        (#"{"status":21002}"#, .storeUnavailable, 1), (#"{"status":21008}"#, .storeUnavailable, 1),
        (#"{"status":0}"#, .storeUnavailable, 1), (#"{"status":"fine"}"#, .storeUnavailable, 1),
        ("<html>Maintenance</html>", .storeUnavailable, 1), ("", .storeUnavailable, 1), ("[]", .storeUnavailable, 1),
    ])
    func `each answer that is no payment has its code, and is asked for again where that may help`(
        answer: String, code: BackendError.Code, asked: Int
    ) async throws {
        let store = ScriptedStore(.json(answer))
        let connection = StoreConnection.scripted([.production: store, .sandbox: ScriptedStore(.json(answer))])
        let error = await SampleProofs.refusal(
            of: try SampleProofs.receipt(.production), by: try Self.verifier(connection))
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(store.asked.count == asked)
    }

    @Test func `P14, R5.9: the store is not asked about what cannot be read, nor about another app`() async throws {
        let store = ScriptedStore(.json(Self.answer()))
        let verifier = try Self.verifier(StoreConnection.scripted([.sandbox: store]))
        let broken = ProofOfPayment(.appReceipt, [0x30, 0x03, 0x02, 0x01, 0x05])
        #expect(await SampleProofs.refusal(of: broken, by: verifier)?.code == .malformedProof)
        let foreign = try SampleProofs.receipt { $0.bundleID = "com.example.torch" }
        #expect(await SampleProofs.refusal(of: foreign, by: verifier)?.code == .wrongApp)
        #expect(store.asked.isEmpty)
    }

    @Test func `a receipt with a damaged certificate is refused for good once the store says that it is malformed`()
        async throws
    {
        let store = ScriptedStore(.json(#"{"status":21002}"#))
        var bytes = try SampleProofs.receipt().bytes
        let certificate = try #require(SampleKeys.of(.sandbox).intermediates[.receipt]?.first).derRepresentation
        let start = try #require(bytes.firstRange(of: certificate)?.lowerBound)
        // Behind its tag and its length in three bytes.
        bytes[start + 4] ^= 1
        let error = await SampleProofs.refusal(
            of: ProofOfPayment(.appReceipt, bytes), by: try Self.verifier(.scripted([.sandbox: store])))
        #expect(error?.code == .malformedProof)
        #expect(store.asked.count == 1)
    }

    @Test func `a receipt goes with the secret of its app and environment, and a refusal says whether there was one`()
        async throws
    {
        let app = try SampleProofs.bundleID()
        let secrets: [([BundleID: [StoreEnvironment: String]], [StoreEnvironment: String], String?)] = [
            ([app: [.sandbox: "own"]], [.sandbox: "all"], "own"),
            ([app: [.production: "own"]], [.sandbox: "all"], "all"),
            ([app: [.production: "own"]], [.production: "all"], nil),
        ]
        for (ofApps, ofAll, sent) in secrets {
            let store = ScriptedStore(.json(#"{"status":21004}"#))
            let connection = StoreConnection.scripted([.sandbox: store], sharedSecrets: ofAll, appSecrets: ofApps)
            let error = await SampleProofs.refusal(of: try SampleProofs.receipt(), by: try Self.verifier(connection))
            #expect(error?.code == .storeKeyRefused)
            #expect(error?.message.contains("given none") == (sent == nil))
            let body = try JSONSerialization.jsonObject(with: Data(#require(store.asked.first).body.bytes))
            #expect((body as? [String: String])?["password"] == sent)
        }
    }

    @Test func `R5.9: a receipt of the sandbox is refused where only production is asked`() async throws {
        let connection = StoreConnection.scripted([.production: ScriptedStore(.json(#"{"status":21007}"#))])
        let error = await SampleProofs.refusal(of: try SampleProofs.receipt(), by: try Self.verifier(connection))
        #expect(error?.code == .wrongEnvironment)
        #expect(error?.message.contains("Sandbox; expected Production") == true)
    }

    @Test func `R5.9: another app, and an address that leads to the other environment, are refused`() async throws {
        for (answer, code) in [
            (Self.answer(bundle: "com.example.torch"), BackendError.Code.wrongApp),
            (Self.answer("Production"), .storeUnavailable),
        ] {
            let connection = StoreConnection.scripted([.sandbox: ScriptedStore(.json(answer))])
            let error = await SampleProofs.refusal(of: try SampleProofs.receipt(), by: try Self.verifier(connection))
            #expect(error?.code == code)
        }
    }
}
