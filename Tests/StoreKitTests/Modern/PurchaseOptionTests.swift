import Foundation
import TestSupport
import Testing

@testable import StoreKit

@Suite("Options of purchases and texts of errors", .bounded)
struct PurchaseOptionTests {
    @Test("X1: Options are equal if they settle the same, so that a set has each of them once")
    func equality() throws {
        let token = UUID()
        let options: Set<Product.PurchaseOption> = [
            .quantity(2), .quantity(2), .quantity(3), .appAccountToken(token), .appAccountToken(token),
            .simulatesAskToBuyInSandbox(true), .custom(key: "a", value: "1"), .custom(key: "a", value: 1.0),
            .custom(key: "a", value: true), .custom(key: "a", value: Data([1])),
        ]
        #expect(options.count == 8)
        let question = Product.PurchaseOption.onStorefrontChange { _ in true }
        #expect(question == question && question != .onStorefrontChange { _ in true })
        #expect(Product.PurchaseOption.quantity(2).debugDescription == "quantity(2)")
    }

    @Test("X1: A promotional offer by its parts is the one by its signature; as a JWS it is a list")
    func promotional() throws {
        let signature = Product.SubscriptionOffer.Signature(
            keyID: "K", nonce: UUID(), timestamp: 1_790_000_000_000, signature: Data([1, 2]))
        let parts = Product.PurchaseOption.promotionalOffer(
            offerID: "spring", keyID: "K", nonce: signature.nonce, signature: signature.signature,
            timestamp: signature.timestamp)
        #expect(parts == .promotionalOffer(offerID: "spring", signature: signature))
        var other = signature
        other.signature = Data()
        #expect(Set([parts, .promotionalOffer(offerID: "spring", signature: other)]).count == 1)
        #expect(parts != .promotionalOffer(offerID: "autumn", signature: signature))
        other.nonce = UUID()
        #expect(parts != .promotionalOffer(offerID: "spring", signature: other))
        let options = Product.PurchaseOption.promotionalOffer("spring", compactJWS: "a.b.c")
        #expect(options.map(\.kind) == [.promotionalOfferJWS(id: "spring", jws: "a.b.c")])
        #expect(
            Product.PurchaseOption.introductoryOfferEligibility(compactJWS: "a").kind
                == .introductoryOfferEligibility(jws: "a"))
        #expect(Product.PurchaseOption.billingPlanType(.monthly).kind == .billingPlanType(.monthly))
    }

    @Test("X1: Every error has a sentence for a person, and is found by its type")
    func errors() throws {
        let errors: [any Error] = [
            StoreKitError.unknown, StoreKitError.userCancelled, StoreKitError.notAvailableInStorefront,
            StoreKitError.networkError(URLError(.notConnectedToInternet)), StoreKitError.notEntitled,
            StoreKitError.systemError(CancellationError()), StoreKitError.unsupported,
            Product.PurchaseError.invalidQuantity, Product.PurchaseError.productUnavailable,
            Product.PurchaseError.purchaseNotAllowed, Product.PurchaseError.ineligibleForOffer,
            Product.PurchaseError.invalidOfferIdentifier, Product.PurchaseError.invalidOfferPrice,
            Product.PurchaseError.invalidOfferSignature, Product.PurchaseError.missingOfferParameters,
            StoreKit.Transaction.RefundRequestError.duplicateRequest, StoreKit.Transaction.RefundRequestError.failed,
            VerificationResult<StoreKit.Transaction>.VerificationError.invalidSignature,
            PaymentMethodBinding.PaymentMethodBindingError.notEligible,
        ]
        for error in errors {
            let text = try #require((error as? any LocalizedError)?.errorDescription)
            // The name of a text stands for one that is missing.
            #expect(text.contains(" ") && error.localizedDescription == text, "\(error)")
        }
        #expect(StoreKitError.networkError(URLError(.timedOut)).failureReason != nil)
    }

    @Test("X1: What this store has no program for can be called, and fails as documented")
    func unsupported() async {
        let answers = await [
            ExternalPurchase.canPresent, ExternalPurchaseLink.canOpen, ExternalPurchaseCustomLink.isEligible,
            ExternalLinkAccount.canOpen,
        ]
        #expect(answers == [false, false, false, false])
        #expect(await ExternalPurchaseLink.eligibleURLs == nil)
        await #expect(throws: StoreKitError.self) { _ = try await ExternalPurchase.presentNoticeSheet() }
        await #expect(throws: StoreKitError.self) { try await ExternalPurchaseLink.open() }
        await #expect(throws: StoreKitError.self) { try await ExternalPurchaseLink.open(url: URL(filePath: "/")) }
        await #expect(throws: StoreKitError.self) {
            _ = try await ExternalPurchaseCustomLink.showNotice(type: .browser)
        }
        await #expect(throws: StoreKitError.self) { _ = try await ExternalPurchaseCustomLink.token(for: "x") }
        await #expect(throws: StoreKitError.self) { try await ExternalLinkAccount.open() }
        await #expect(throws: StoreKitError.self) { _ = try await AdvancedCommerceProduct(id: "x") }
        await #expect(throws: StoreKitError.self) { _ = try await Product.PromotionInfo.currentOrder }
        await #expect(throws: StoreKitError.self) { try await Product.PromotionInfo.updateProductOrder(byID: ["x"]) }
        await #expect(throws: StoreKitError.self) {
            try await Product.PromotionInfo(productID: "x", visibility: .hidden).update()
        }
        #expect(await AppStore.ageRatingCode == nil)
        await #expect(throws: PaymentMethodBinding.PaymentMethodBindingError.notEligible) {
            _ = try await PaymentMethodBinding(id: "x")
        }
    }

    @Test("X1: Every value that has a name says it in words")
    func names() {
        let names: [String] = [
            Product.ProductType.consumable.localizedDescription, Product.ProductType.nonRenewable.localizedDescription,
            Product.SubscriptionOffer.OfferType.winBack.localizedDescription,
            Product.SubscriptionOffer.PaymentMode.freeTrial.localizedDescription,
            SubscriptionRenewalState.inGracePeriod.localizedDescription,
            SubscriptionRenewalInfo.ExpirationReason.billingError.localizedDescription,
            SubscriptionRenewalInfo.PriceIncreaseStatus.agreed.localizedDescription,
            StoreKit.Transaction.OfferType.code.localizedDescription,
            StoreKit.Transaction.OwnershipType.familyShared.localizedDescription,
            StoreKit.Transaction.RevocationReason.developerIssue.localizedDescription,
            Message.Reason.billingIssue.localizedDescription,
            Product.SubscriptionPeriod.Unit.year.localizedDescription,
        ]
        for name in names { #expect(!name.isEmpty && !name.contains("value."), "\(name)") }
        #expect(Set(names).count == names.count)
    }
}
