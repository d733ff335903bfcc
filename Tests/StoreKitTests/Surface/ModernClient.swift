import Foundation
import StoreKit

// The store of an app as tutorials write it. It is only compiled: an app that imports StoreKit and Foundation stays as it is.

private enum StoreFailure: Error {
    case failedVerification
}

private typealias RenewalState = StoreKit.Product.SubscriptionInfo.RenewalState

@MainActor
private final class AppShop {
    private(set) var subscriptions: [Product] = []
    private(set) var purchasedIDs: Set<String> = []
    private(set) var renewalState: RenewalState?
    private var updates: Task<Void, any Error>?

    init() {
        updates = listen()
        Task { await load(["club.month", "club.year"]) }
    }

    deinit { updates?.cancel() }

    private func listen() -> Task<Void, any Error> {
        Task.detached {
            for await result in StoreKit.Transaction.updates {
                do {
                    let transaction = try self.checkVerified(result)
                    await self.refresh()
                    await transaction.finish()
                } catch {
                    print("Transaction failed verification: \(error.localizedDescription)")
                }
            }
        }
    }

    func load(_ ids: [String]) async {
        do {
            let products = try await Product.products(for: ids)
            subscriptions = products.filter { $0.type == .autoRenewable }.sorted { $0.price < $1.price }
        } catch {
            print("Failed product request: \(error)")
        }
    }

    func purchase(_ product: Product, for user: UUID) async throws -> StoreKit.Transaction? {
        do {
            switch try await product.purchase(options: [.appAccountToken(user), .simulatesAskToBuyInSandbox(false)]) {
            case .success(let verification):
                let transaction = try checkVerified(verification)
                await refresh()
                await transaction.finish()
                return transaction
            case .userCancelled, .pending: return nil
            @unknown default: return nil
            }
        } catch StoreKitError.userCancelled {
            return nil
        } catch let error as Product.PurchaseError {
            switch error {
            case .purchaseNotAllowed, .productUnavailable: return nil
            default: throw error
            }
        }
    }

    nonisolated func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw StoreFailure.failedVerification
        case .verified(let safe): return safe
        }
    }

    func refresh() async {
        var ids: Set<String> = []
        for await result in Transaction.currentEntitlements {
            guard case .verified(let transaction) = result, transaction.revocationDate == nil else { continue }
            if let end = transaction.expirationDate, end < Date.distantPast { continue }
            switch transaction.productType {
            case .nonConsumable, .autoRenewable, .nonRenewable: ids.insert(transaction.productID)
            default: break
            }
        }
        purchasedIDs = ids
        guard let status = try? await subscriptions.first?.subscription?.status else { return }
        let best = status.filter { $0.state != .expired && $0.state != .revoked }
            .max { $0.transaction.unsafePayloadValue.purchaseDate < $1.transaction.unsafePayloadValue.purchaseDate }
        renewalState = best?.state
        if case .verified(let renewal)? = best?.renewalInfo, renewal.willAutoRenew { print(renewal.debugDescription) }
    }

    func offerText(_ product: Product) async -> String {
        guard let info = product.subscription, let offer = info.introductoryOffer else { return product.displayPrice }
        guard await info.isEligibleForIntroOffer else { return product.displayPrice }
        let period = offer.period.formatted(product.subscriptionPeriodFormatStyle)
        switch offer.paymentMode {
        case .freeTrial: return "\(period) free, then \(product.displayPrice)"
        case .payAsYouGo: return "\(offer.displayPrice) for \(offer.periodCount) x \(offer.period.debugDescription)"
        case .payUpFront: return (offer.price / 2).formatted(product.priceFormatStyle)
        default: return "\(info.subscriptionPeriod.value) \(info.subscriptionPeriod.unit)"
        }
    }

    func restore() async throws {
        try await AppStore.sync()
        if case .verified(let download) = try await AppTransaction.shared, download.environment == .sandbox {
            print(download.originalAppVersion)
        }
    }

    func receipts() async -> [String] {
        var texts: [String] = []
        for await result in Transaction.unfinished { texts.append(result.jwsRepresentation) }
        return texts
    }
}
