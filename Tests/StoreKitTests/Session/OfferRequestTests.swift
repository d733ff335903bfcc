import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

@Suite("Offers in payments", .bounded)
struct OfferRequestTests {
    @Test("X7: A payment with a discount is kept whole in the journal's form, and sent with everything that was signed")
    func discount() throws {
        let (nonce, username) = (UUID(), "Ada")
        let payment = SKMutablePayment(Payment("club"))
        payment.applicationUsername = username
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "spring", keyIdentifier: "ABCDE12345", nonce: nonce, signature: "sig",
            timestamp: 1_800_000_000_000)
        let kept = try JSONDecoder().decode(Payment.self, from: JSONEncoder().encode(Payment(payment)))
        #expect(kept.refusal == nil)
        #expect(
            kept.request.discount
                == DiscountRequest(
                    offerId: "spring", keyId: "ABCDE12345", nonce: nonce.uuidString.lowercased(), signature: "sig",
                    timestamp: 1_800_000_000_000, applicationUsername: username))
    }

    @Test("X7: A payment that was kept before there were codes is read, and one with a code sends it")
    func code() throws {
        let former = #"{"product": "club", "quantity": 1, "simulatesAskToBuyInSandbox": false}"#
        let kept = try JSONDecoder().decode(Payment.self, from: Data(former.utf8))
        #expect(kept.request.offerCode == nil)
        #expect(Payment("club", code: "SPRING").request.offerCode == "SPRING")
    }
}
