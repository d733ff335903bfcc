import Foundation
import StoreModel
import Testing

@Suite("Signed payloads (X3)")
struct PayloadTests {
    @Test("What Apple's library writes is read and written back byte for byte")
    func goldenRoundTrip() throws {
        let transaction = try decode(TransactionPayload.self, from: GoldenPayloads.transaction)
        #expect(try jsonText(transaction) == GoldenPayloads.transaction)
        let renewalInfo = try decode(RenewalInfoPayload.self, from: GoldenPayloads.renewalInfo)
        #expect(try jsonText(renewalInfo) == GoldenPayloads.renewalInfo)
        let appTransaction = try decode(AppTransactionPayload.self, from: GoldenPayloads.appTransaction)
        #expect(try jsonText(appTransaction) == GoldenPayloads.appTransaction)
        for golden in GoldenPayloads.notifications {
            #expect(try jsonText(decode(NotificationPayload.self, from: golden)) == golden)
        }
    }

    @Test("The fields of a transaction mean what their keys say")
    func transactionFields() throws {
        let payload = try decode(TransactionPayload.self, from: GoldenPayloads.transaction)
        #expect(payload.transactionId.environment == .sandbox)
        #expect(payload.transactionId != payload.originalTransactionId)
        #expect(payload.type == .nonRenewing)
        #expect(payload.offerType == .winBack)
        #expect(payload.offerPeriod == .oneMonth)
        #expect(payload.environment.environment == nil)
        #expect(payload.amount == Money(minorUnits: 999, currency: .usd))
        #expect(payload.storefrontId?.storefront == payload.storefront?.storefront)
        #expect(payload.commitmentInfo?.totalBillingPeriods == 12)
    }

    @Test("The fields of renewal info and app transaction mean what their keys say")
    func otherFields() throws {
        let renewal = try decode(RenewalInfoPayload.self, from: GoldenPayloads.renewalInfo)
        #expect(renewal.autoRenewStatus == .on)
        #expect(renewal.expirationIntent == .other)
        #expect(renewal.eligibleWinBackOfferIds == ["winback.a", "winback.b"])
        #expect(renewal.commitmentInfo?.commitmentRenewalBillingPlanType == .monthly)
        let app = try decode(AppTransactionPayload.self, from: GoldenPayloads.appTransaction)
        #expect(app.appAppleId?.number == 1_234_567_890)
        #expect(app.originalPlatform == .visionOS)
        #expect(app.preorderDate?.millisecondsSinceEpoch == 1_766_774_408_123)
    }

    private func smallest() throws -> TransactionPayload {
        TransactionPayload(
            transactionId: try TransactionID(parsing: "2000000000000001"),
            originalTransactionId: try TransactionID(parsing: "2000000000000001"),
            bundleId: try BundleID(parsing: "com.example.app"), productId: try ProductID(parsing: "coins"),
            type: .consumable,
            purchaseDate: Instant(millisecondsSinceEpoch: 1), originalPurchaseDate: Instant(millisecondsSinceEpoch: 1),
            quantity: 4, inAppOwnershipType: .purchased, environment: .sandbox,
            signedDate: Instant(millisecondsSinceEpoch: 2))
    }

    @Test("What is absent has no key, and is never null (R2.9)")
    func absentKeys() throws {
        let expected = """
            {"bundleId":"com.example.app","environment":"Sandbox","inAppOwnershipType":"PURCHASED","originalPurchaseDate":1,\
            "originalTransactionId":"2000000000000001","productId":"coins","purchaseDate":1,"quantity":4,"signedDate":2,\
            "transactionId":"2000000000000001","type":"Consumable"}
            """
        #expect(try jsonText(smallest()) == expected)
        #expect(try decode(TransactionPayload.self, from: expected) == smallest())
        #expect(try jsonText(TransactionCommitmentInfo()) == "{}")
    }

    @Test("Null from a careless writer reads as absent, and keys that are not known are ignored")
    func nullAndUnknownKeys() throws {
        var text = try jsonText(smallest())
        text.removeLast()
        text += #","price":null,"futureField":{"deep":[1,2,{"x":null}]},"currency":null}"#
        #expect(try decode(TransactionPayload.self, from: text) == smallest())
    }

    @Test("Values that come later survive the round trip in every field that names one")
    func unknownValuesSurvive() throws {
        let replacements = [
            ("\"Non-Renewing Subscription\"", "\"Lifetime Lease\""), ("\"FAMILY_REVOKE\"", "\"ESTATE_REVOKE\""),
            ("\"offerType\":4", "\"offerType\":77"),
            ("\"ONE_TIME\"", "\"TWICE\""), ("\"LocalTesting\"", "\"Moonbase\""), ("\"MONTHLY\"", "\"BILLED_DAILY\""),
            ("\"revocationReason\":0", "\"revocationReason\":-3"),
            ("\"USD\"", "\"QQQ\""), ("\"USA\"", "\"MRS\""), ("\"143441\"", "\"999999\""),
            ("\"PURCHASED\"", "\"GIFTED\""), ("\"RENEWAL\"", "\"REVIVAL\""),
        ]
        for (known, unknown) in replacements {
            try expectSurvival(TransactionPayload.self, of: unknown, insteadOf: known, in: GoldenPayloads.transaction)
        }
    }

    @Test(
        "Values that come later survive in renewal info too",
        arguments: [
            ("\"autoRenewStatus\":1", "\"autoRenewStatus\":2"), ("\"LocalTesting\"", "\"Moonbase\""),
            ("\"USD\"", "\"QQQ\""), ("\"expirationIntent\":5", "\"expirationIntent\":6"),
            ("\"priceIncreaseStatus\":1", "\"priceIncreaseStatus\":-1"), ("\"offerType\":4", "\"offerType\":77"),
            ("\"ONE_TIME\"", "\"TWICE\""),
            ("\"renewalBillingPlanType\":\"MONTHLY\"", "\"renewalBillingPlanType\":\"DAILY\""),
            ("\"commitmentAutoRenewStatus\":1", "\"commitmentAutoRenewStatus\":2"),
            (
                "\"commitmentRenewalBillingPlanType\":\"MONTHLY\"",
                "\"commitmentRenewalBillingPlanType\":\"DAILY\""
            ),
        ])
    func unknownRenewalValuesSurvive(known: String, unknown: String) throws {
        try expectSurvival(RenewalInfoPayload.self, of: unknown, insteadOf: known, in: GoldenPayloads.renewalInfo)
    }

    @Test(
        "Values that come later survive in app transactions too",
        arguments: [("\"LocalTesting\"", "\"Moonbase\""), ("\"visionOS\"", "\"Linux\"")])
    func unknownAppValuesSurvive(known: String, unknown: String) throws {
        try expectSurvival(AppTransactionPayload.self, of: unknown, insteadOf: known, in: GoldenPayloads.appTransaction)
    }

    private func expectSurvival<Payload: Codable>(
        _ type: Payload.Type, of unknown: String, insteadOf known: String, in golden: String
    ) throws {
        #expect(golden.contains(known))
        let text = golden.replacingOccurrences(of: known, with: unknown)
        #expect(try jsonText(try decode(type, from: text)) == text)
    }

    @Test("Fields that only a device sees survive, with the nonce in lower case")
    func deviceFields() throws {
        let nonce = "48c8b92d-ce0d-4229-bedf-e61b4f9cfc92"
        let transaction = GoldenPayloads.transaction.replacingOccurrences(
            of: "\"environment\"",
            with:
                "\"deviceVerification\":\"AAEC\",\"deviceVerificationNonce\":\"\(nonce.uppercased())\",\"environment\"")
        #expect(
            try jsonText(try decode(TransactionPayload.self, from: transaction))
                == transaction.replacingOccurrences(of: nonce.uppercased(), with: nonce))
        let app = GoldenPayloads.appTransaction.replacingOccurrences(
            of: "\"versionExternalIdentifier\"",
            with: "\"requestDate\":1766774409123,\"versionExternalIdentifier\"")
        #expect(try jsonText(try decode(AppTransactionPayload.self, from: app)) == app)
    }

    @Test("Foreign ids survive and belong to no environment")
    func foreignIDs() throws {
        let text = GoldenPayloads.transaction.replacingOccurrences(
            of: "\"2000000000000042\"", with: "\"1700000294494201\"")
        let payload = try decode(TransactionPayload.self, from: text)
        #expect(payload.transactionId.environment == nil)
        #expect(try jsonText(payload) == text)
    }

    @Test("UUIDs are written in lower case, times rounded as Xcode needs it")
    func normalisation() throws {
        let upper = GoldenPayloads.transaction
            .replacingOccurrences(
                of: "7e3fb20b-4cdb-47cc-936d-99d65f608138", with: "7E3FB20B-4CDB-47CC-936D-99D65F608138"
            )
            .replacingOccurrences(of: "\"signedDate\":1766774391123", with: "\"signedDate\":1766774391122.7")
        #expect(try jsonText(try decode(TransactionPayload.self, from: upper)) == GoldenPayloads.transaction)
    }

    @Test("An amount needs a price, a known currency and whole minor units")
    func amount() throws {
        var payload = try smallest()
        #expect(payload.amount == nil)
        payload.price = 1990
        #expect(payload.amount == nil)
        payload.currency = CurrencyCode(.usd)
        #expect(payload.amount == Money(minorUnits: 199, currency: .usd))
        payload.price = 1995
        #expect(payload.amount == nil)
        payload.currency = CurrencyCode(rawValue: "QQQ")
        #expect(payload.amount == nil)
    }

    @Test("An app transaction of the sandbox has no app number, or zero")
    func sandboxAppTransaction() throws {
        let zero = GoldenPayloads.appTransaction.replacingOccurrences(of: "1234567890", with: "0")
        #expect(try decode(AppTransactionPayload.self, from: zero).appAppleId?.number == 0)
        let none = GoldenPayloads.appTransaction.replacingOccurrences(of: "\"appAppleId\":1234567890,", with: "")
        #expect(try decode(AppTransactionPayload.self, from: none).appAppleId == nil)
    }

    @Test("Fields that every version of the API has must be there, and no other")
    func requiredFields() throws {
        #expect(
            try requiredKeys(of: TransactionPayload.self, in: GoldenPayloads.transaction) == [
                "bundleId", "environment", "inAppOwnershipType", "originalPurchaseDate", "originalTransactionId",
                "productId", "purchaseDate", "quantity", "signedDate", "transactionId", "type",
            ])
        #expect(
            try requiredKeys(of: RenewalInfoPayload.self, in: GoldenPayloads.renewalInfo) == [
                "autoRenewProductId", "autoRenewStatus", "environment", "originalTransactionId", "productId",
                "signedDate",
            ])
        #expect(
            try requiredKeys(of: AppTransactionPayload.self, in: GoldenPayloads.appTransaction) == [
                "applicationVersion", "bundleId", "originalApplicationVersion", "originalPurchaseDate",
                "receiptCreationDate", "receiptType",
            ])
    }

    /// The keys without which a payload is refused, found by leaving out one after another.
    private func requiredKeys<Payload: Decodable>(of type: Payload.Type, in golden: String) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: Data(golden.utf8))
        let fields = try #require(object as? [String: Any])
        return try fields.keys.sorted().filter { key in
            let data = try JSONSerialization.data(withJSONObject: fields.filter { $0.key != key })
            return (try? JSONDecoder().decode(type, from: data)) == nil
        }
    }

    @Test("A refused field is named with its path and its rule")
    func errorsExplain() throws {
        let text = GoldenPayloads.transaction.replacingOccurrences(
            of: "com.example.monthly_1", with: "com.example monthly")
        let error = #expect(throws: DecodingError.self) { try decode(TransactionPayload.self, from: text) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("expected corrupted data, not \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["productId"])
        #expect((context.underlyingError as? InvalidValue)?.subject == "product id")
        #expect(context.debugDescription.contains("letters, digits, periods, underscores and hyphens"))
    }
}
