/// What the sources of StoreKit 2 cannot tell.
enum ModernParityNotes {
    static let later: [ParityNotes.Later] = [
        ParityNotes.Later(type: "ExternalPurchase", part: "canPresent", answer: noProgram),
        ParityNotes.Later(type: "ExternalPurchase", part: "presentNoticeSheet", answer: unsupported),
        ParityNotes.Later(type: "ExternalPurchaseLink", part: "canOpen", answer: noProgram),
        ParityNotes.Later(type: "ExternalPurchaseLink", part: "eligibleURLs", answer: "no program: nil"),
        ParityNotes.Later(type: "ExternalPurchaseLink", part: "func open", answer: unsupported),
        ParityNotes.Later(type: "ExternalPurchaseCustomLink", part: "isEligible", answer: noProgram),
        ParityNotes.Later(type: "ExternalPurchaseCustomLink", part: "static func", answer: unsupported),
        ParityNotes.Later(type: "ExternalLinkAccount", part: "canOpen", answer: noProgram),
        ParityNotes.Later(type: "ExternalLinkAccount", part: "func open", answer: unsupported),
        ParityNotes.Later(type: "PaymentMethodBinding", part: "async throws", answer: "fails with `notEligible`"),
        ParityNotes.Later(type: "AdvancedCommerceProduct", part: "async throws", answer: unsupported),
        ParityNotes.Later(
            type: "Transaction", part: "advancedCommerceInfo", answer: "Till sells no such products: nil"),
        ParityNotes.Later(
            type: "Product.SubscriptionInfo.RenewalInfo", part: "advancedCommerceInfo",
            answer: "Till sells no such products: nil"),
    ]

    private static let noProgram = "this store has no such program: false"
    private static let unsupported = "fails with `StoreKitError.unsupported`"

    /// The types of which Apple's platforms have nothing.
    static let ownTypes: Set<String> = ["Product.SubscriptionPeriod.RangeFormatStyle"]

    /// What Apple's platforms have only with a scene or a controller: the question is on the terminal or in the browser here.
    static let own: Set<String> = [
        "@MainActor public static func showManageSubscriptions() async throws",
        "@MainActor public static func showManageSubscriptions(subscriptionGroupID: String) async throws",
        "@MainActor public static func presentOfferCodeRedeemSheet() async throws",
        "@MainActor public func display() throws",
        "public func beginRefundRequest() async throws -> RefundRequestStatus",
        "public static func beginRefundRequest(for transactionID: UInt64) async throws -> RefundRequestStatus",
    ]

    /// What is there in another form.
    static let different: [(String, String)] = [
        (
            "`Product.subscriptionPeriodFormatStyle: Date.ComponentsFormatStyle`",
            "A `Product.SubscriptionPeriod.RangeFormatStyle`: Foundation on Linux has no initialiser of that type, and it is "
                + "no style there. It writes in six languages."
        ),
        (
            "`referenceDate: Date = .now` of `SubscriptionPeriod.dateRange` and `.formatted`",
            "Two methods, with and without the date. Periods are counted in GMT, as the store does."
        ),
        (
            "`P256.Signing.ECDSASignature` of CryptoKit",
            "A type of the same name and path, with both representations; keys are not there."
        ),
        (
            "`VerificationResult`: verified against Apple's root",
            "Against the roots of the app's provisioning profile. Whether certificates were revoked is what the verifier was "
                + "told; no server is asked. Another app or environment is `missingRequiredProperties`."
        ),
        (
            "Extensible values such as `Product.ProductType` of a store that is newer",
            "Kept as they came; `localizedDescription` is the store's word."
        ),
    ]

    /// What is not there.
    static let excluded: [(String, String)] = [
        (
            "`Product.purchase(confirmIn:options:)`, `AdvancedCommerceProduct.purchase(compactJWS:confirmIn:options:)`",
            "They take a `UIScene`, a `UIViewController` or an `NSWindow`. The forms without are there."
        ),
        (
            "`Transaction.beginRefundRequest(in:)`, `AppStore.showManageSubscriptions(in:)`, "
                + "`AppStore.presentOfferCodeRedeemSheet(in:)`, `AppStore.requestReview(in:)` with a scene or a controller",
            "There is no UIKit on Linux. Forms without it are there, but for reviews, of which the store has none."
        ),
        ("`Message.display(in: UIWindowScene)`", "There is no UIKit on Linux."),
        (
            "The module `_StoreKit_SwiftUI`: `StoreView`, `ProductView`, `SubscriptionStoreView`, their styles, modifiers and "
                + "environment values",
            "There is no SwiftUI on Linux."
        ),
        (
            "`SubscriptionInfo.bundledSubscriptions`, `Transaction.bundleTransactionID` and its kin, "
                + "`RenewalInfo.willUnbundle`, `StoreKitError.invalidPresentationContext`",
            "They came with a later compiler; the App Store sells no bundles yet that this store could be held against."
        ),
    ]
}
