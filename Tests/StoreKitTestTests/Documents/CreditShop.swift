import StoreKit

/// The shop of ``MonkeyShop`` by StoreKit 2: it sells credits and keeps the balance.
@MainActor
final class CreditShop {
    private(set) var balance = 0
    private(set) var failures: [any Error] = []
    private var delivered: Set<UInt64> = []
    private var updates: Task<Void, Never>?

    func open() {
        updates = Task {
            for await result in Transaction.updates { await settle(result) }
        }
    }

    func close() { updates?.cancel() }

    /// Buys, and returns when the purchase has come to something.
    func buy(_ identifier: String, quantity: Int = 1) async {
        do {
            guard let product = try await Product.products(for: [identifier]).first else { return }
            if case .success(let result) = try await product.purchase(options: [.quantity(quantity)]) {
                await settle(result)
            }
        } catch {
            failures.append(error)
        }
    }

    private func settle(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if transaction.revocationDate == nil, delivered.insert(transaction.id).inserted {
            balance += 5 * transaction.purchasedQuantity
        }
        await transaction.finish()
    }
}
