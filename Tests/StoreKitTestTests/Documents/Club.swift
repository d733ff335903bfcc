import StoreKit

/// The club of an app: whoever is in it may use everything.
@MainActor
final class Club {
    private(set) var isMember = false
    private var updates: Task<Void, Never>?

    /// Begins to listen: at the start of the app, before anything is bought.
    func open() async {
        updates = Task {
            for await result in Transaction.updates { await take(result) }
        }
        await refresh()
    }

    func close() { updates?.cancel() }

    /// Buys, and says whether the customer is in the club now.
    func join() async throws -> Bool {
        guard let product = try await Product.products(for: ["club.monthly"]).first else { return false }
        switch try await product.purchase() {
        case .success(let result): await take(result)
        case .pending, .userCancelled: break
        @unknown default: break
        }
        return isMember
    }

    /// First what the customer gets, then finish: what is not finished comes again.
    private func take(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        await refresh()
        await transaction.finish()
    }

    func refresh() async {
        var found = false
        for await result in Transaction.currentEntitlements(for: "club.monthly") {
            if case .verified = result { found = true }
        }
        isMember = found
    }
}
