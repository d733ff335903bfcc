// Without StoreKit: what tests of apps import has its names.
import StoreKitTest
import StoreModel
import StoreSigning
import TestSupport
import Testing

@Suite("Promotional offers of a test session", .bounded)
struct OfferSessionTests {
    private static let (club, keyID) = ("monkeys.club", "851B7BE3")

    /// The usual file with an offer of the club that it has twice, and with the key that signs it.
    private static func bench(_ key: PrivateKey) throws -> Bench {
        let text = try key.pemRepresentation().split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let pair = #""subscriptionOffersKeyPair" : {"id":"\#(keyID)","privateKey":"\#(text)"}, "version" :"#
        let offer = #"{"offerID":"spring","paymentMode":"free","subscriptionPeriod":"P1W","internalID":"9"}"#
        let file = try Bench.text().replacing(#""version" :"#, with: pair)
        return try Bench(text: file.replacing(/"adHocOffers" : \[\s*\]/, with: "\"adHocOffers\" : [\(offer),\(offer)]"))
    }

    private static func payment(_ key: PrivateKey) throws -> SKPayment {
        let (nonce, now) = (UUID(), Bench.start)
        let offer = PromotionalOffer(
            bundleID: "com.example.app", keyID: keyID, productID: club, offerID: "spring", accountToken: "",
            nonce: nonce, timestamp: now)
        let payment = SKMutablePayment()
        payment.productIdentifier = club
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "spring", keyIdentifier: keyID, nonce: nonce, signature: try offer.signature(by: key),
            timestamp: NSNumber(value: now.millisecondsSinceEpoch))
        return payment
    }

    @Test("X2: The key of a configuration signs promotional offers, and no other does")
    func signed() async throws {
        let (key, other) = (try PrivateKey.p256(), try PrivateKey.p256())
        let bench = try Self.bench(key)
        try await bench.run { observer in
            try bench.session.buyProduct(productIdentifier: Self.club)
            try bench.session.expireSubscription(productIdentifier: Self.club)
            SKPaymentQueue.default().add(try Self.payment(other))
            try await observer.until("failed \(SKError.Code.invalidSignature.rawValue) club")
            SKPaymentQueue.default().add(try Self.payment(key))
            try await observer.until("purchased club", times: 2)
        }
        #expect(bench.session.allTransactions().count == 2)
    }
}
