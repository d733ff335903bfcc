import StoreKit

/// The store layer of an app, as a team writes it with StoreKit 2: credits that are spent, and a club.
actor ClubShop {
    /// What the app shows.
    struct Contents: Equatable, Sendable {
        var credits = 0
        var isMember = false
    }

    struct NotSold: Error {}

    private(set) var contents = Contents()
    private var delivered: Set<UInt64> = []
    private var listener: Task<Void, Never>?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Listens from the start of the app on: what was bought elsewhere, and what an earlier run has not finished, comes here.
    func open() {
        listener = Task {
            for await result in Transaction.updates { await deliver(result) }
        }
    }

    func close() async {
        listener?.cancel()
        await listener?.value
    }

    /// Whether it was bought; false if the customer or somebody else has not said yes.
    func buy(_ id: String) async throws -> Bool {
        guard let product = try await Product.products(for: [id]).first else { throw NotSold() }
        switch try await product.purchase() {
        case .success(let result):
            await deliver(result)
            return true
        case .userCancelled, .pending: return false
        @unknown default: return false
        }
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if transaction.productID == "monkeys.credits5" {
            let count = 5 * transaction.purchasedQuantity
            if transaction.revocationDate == nil {
                if delivered.insert(transaction.id).inserted { contents.credits += count }
            } else if delivered.remove(transaction.id) != nil {
                contents.credits -= count
            }
        }
        await transaction.finish()
        await refresh()
    }

    /// Asks what the customer has.
    func refresh() async {
        var isMember = false
        for await result in Transaction.currentEntitlements {
            if case .verified(let transaction) = result, transaction.productID == "monkeys.club" { isMember = true }
        }
        contents.isMember = isMember
        for one in waiting { one.resume() }
        waiting = []
    }

    /// Returns when the app shows something.
    func until(_ isShown: @Sendable (Contents) -> Bool) async {
        while !isShown(contents) { await withCheckedContinuation { waiting.append($0) } }
    }
}
