import Foundation
import StoreKit

/// The Filter Club: whoever is in it has all filters, those of later versions of the app too.
///
/// It is sold by StoreKit 2, beside the queue of StoreKit 1 by which the app sells single filters. Nothing of it is kept by the app:
/// what the customer has now is for StoreKit to say, with a network or without.
@MainActor
final class Club {
    /// The products of the group. Whoever goes from the month to the year goes up a level, at once; the other way waits for the end
    /// of the year.
    enum Plan: String, CaseIterable, Sendable {
        case monthly, yearly

        /// The product.
        var id: String { "com.example.photofilters.club\(rawValue)" }

        init?(id: String) {
            guard let plan = Self.allCases.first(where: { $0.id == id }) else { return nil }
            self = plan
        }
    }

    /// How the person is in the club.
    struct Membership: Equatable {
        let plan: Plan
        /// When what is paid ends.
        let end: Date?
        /// Whether the last payment failed, and the person keeps the club for a while.
        let isInGracePeriod: Bool
        /// What comes after the end, if the store has said so.
        let next: Next?
    }

    /// What comes after a period.
    enum Next: Equatable {
        case nothing
        case plan(Plan)
    }

    /// What the person is told.
    // Closed: only this app switches over them.
    enum News {
        case plansFetched
        /// How the person stands now, asked or not.
        case stands
        case pending
        case cancelled
        case failed(any Error)
    }

    private(set) var plans: [Plan: Product] = [:]
    /// Whether the group is new to the person, and the first week free.
    private(set) var isNew = false
    /// Nil for whoever is not in the club.
    private(set) var membership: Membership?
    private var calls = 0
    private let tell: @MainActor (News) -> Void

    init(tell: @escaping @MainActor (News) -> Void) {
        self.tell = tell
        // Renewals, approvals, purchases on other devices, and what is taken back.
        Task {
            for await result in Transaction.updates {
                if await take(result) { tell(.stands) }
            }
        }
        // Payments that fail, and renewal that is turned off.
        Task {
            for await _ in Product.SubscriptionInfo.Status.updates {
                if await refresh() { tell(.stands) }
            }
        }
    }

    /// Whether StoreKit may be asking the person something.
    var isBusy: Bool { calls > 0 }

    func load() {
        call { [self] in
            // That the store cannot be reached the person hears of the filters.
            let found = (try? await Product.products(for: Plan.allCases.map(\.id))) ?? []
            for product in found {
                if let plan = Plan(id: product.id) { plans[plan] = product }
            }
            isNew = await found.first?.subscription?.isEligibleForIntroOffer ?? false
            _ = await refresh()
            return .plansFetched
        }
    }

    func join(_ product: Product) {
        call { [self] in
            do {
                switch try await product.purchase() {
                case .success(let result):
                    _ = await take(result)
                    return .stands
                case .pending: return .pending
                case .userCancelled: return .cancelled
                @unknown default: return .failed(StoreKitError.unknown)
                }
            } catch {
                return .failed(error)
            }
        }
    }

    /// Finishes a transaction of the club. Those of filters are for the queue.
    ///
    /// - Returns: whether the person stands otherwise by it.
    private func take(_ result: VerificationResult<Transaction>) async -> Bool {
        guard case .verified(let transaction) = result, Plan(id: transaction.productID) != nil else { return false }
        let isOther = await refresh()
        await transaction.finish()
        return isOther
    }

    /// Asks how the person stands.
    ///
    /// - Returns: whether it is otherwise than before.
    private func refresh() async -> Bool {
        var current: Transaction?
        for await case .verified(let transaction) in Transaction.currentEntitlements
        where Plan(id: transaction.productID) != nil {
            current = transaction
        }
        let former = membership
        membership = await membership(by: current)
        return membership != former
    }

    private func membership(by transaction: Transaction?) async -> Membership? {
        guard let transaction, let plan = Plan(id: transaction.productID) else { return nil }
        let status = await transaction.subscriptionStatus
        let renewal = try? status?.renewalInfo.payloadValue
        return Membership(
            plan: plan, end: transaction.expirationDate, isInGracePeriod: status?.state == .inGracePeriod,
            next: renewal.map { renewal in
                let preferred = Plan(id: renewal.autoRenewPreference ?? renewal.currentProductID)
                return renewal.willAutoRenew ? .plan(preferred ?? plan) : .nothing
            })
    }

    private func call(_ body: @escaping @MainActor () async -> News) {
        calls += 1
        Task {
            let news = await body()
            calls -= 1
            tell(news)
        }
    }
}
