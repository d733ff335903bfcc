import Foundation
import StoreKit

/// Everything of StoreKit 2 that does something, with its type: what is missing or different does not compile.
enum ModernActsSurface {
    static func products(_ product: Product) async throws {
        let _: [Product] = try await Product.products(for: ["a"])
        let _: [Product] = try await Product.products(for: Set(["a"]))
        let _: Product.PurchaseResult = try await product.purchase()
        let _: Product.PurchaseResult = try await product.purchase(options: [.quantity(2)])
        let _: VerificationResult<Transaction>? = await product.latestTransaction
        let _: VerificationResult<Transaction>? = await product.currentEntitlement
        let _: Transaction.Transactions = product.currentEntitlements
        let _: Bool? = await product.subscription?.isEligibleForIntroOffer
        let _: Bool = await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group")
        let _: [Product.SubscriptionInfo.Status]? = try await product.subscription?.status
        let _: [Product.SubscriptionInfo.Status] = try await Product.SubscriptionInfo.status(for: "group")
        let _: SubscriptionStatus? = try await SubscriptionInfo.status(transactionID: 1)
    }

    static func transactions(_ transaction: Transaction) async throws {
        let _: [Transaction.Transactions] = [
            Transaction.all, Transaction.updates, Transaction.unfinished, Transaction.currentEntitlements,
            Transaction.all(for: "a"), Transaction.currentEntitlements(for: "a"),
        ]
        let _: VerificationResult<Transaction>? = await Transaction.latest(for: "a")
        let _: VerificationResult<Transaction>? = await Transaction.currentEntitlement(for: "a")
        for await result in Transaction.all { let _: VerificationResult<Transaction> = result }
        await transaction.finish()
        let _: Product.SubscriptionInfo.Status? = await transaction.subscriptionStatus
        let _: Transaction.RefundRequestStatus = try await transaction.beginRefundRequest()
        let _: Transaction.RefundRequestStatus = try await Transaction.beginRefundRequest(for: 1)
    }

    static func sequences() async {
        for await status in Product.SubscriptionInfo.Status.updates { let _: SubscriptionStatus = status }
        for await (group, statuses) in Product.SubscriptionInfo.Status.all {
            let _: (String, [SubscriptionStatus]) = (group, statuses)
        }
        for await storefront in Storefront.updates { let _: Storefront = storefront }
        for await message in Message.messages { let _: Message = message }
        for await intent in PurchaseIntent.intents { let _: PurchaseIntent = intent }
        let _: Storefront? = await Storefront.current
    }

    @MainActor
    static func store() async throws {
        let _: VerificationResult<AppTransaction> = try await AppTransaction.shared
        let _: VerificationResult<AppTransaction> = try await AppTransaction.refresh()
        let _: Bool = AppStore.canMakePayments
        let _: UUID? = AppStore.deviceVerificationID
        let _: Int? = await AppStore.ageRatingCode
        try await AppStore.sync()
    }

    static func promotions(_ promotion: Product.PromotionInfo) async throws {
        try await promotion.update()
        let _: [Product.PromotionInfo] = try await Product.PromotionInfo.currentOrder
        try await Product.PromotionInfo.updateProductOrder(byID: ["a"])
        try await Product.PromotionInfo.updateProductVisibility(.hidden, for: "a")
        try await Product.PromotionInfo.updateAll([promotion])
    }
}
