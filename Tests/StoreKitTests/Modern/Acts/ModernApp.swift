import TestSupport

@testable import StoreKit

extension SessionBench {
    /// An app that uses the modern API, and nothing of the session but what tests have to wait for.
    func withApp<Value>(
        prompt: any PurchasePrompt = account, connection: (any StoreConnection)? = nil,
        _ body: (SessionClient) async throws -> Value
    ) async throws -> Value {
        try await withSession(prompt: prompt, connection: connection) { client in
            try await CurrentSession.$own.withValue(SessionContext(client.session)) { try await body(client) }
        }
    }

    func product(_ id: String) async throws -> Product {
        guard let product = try await Product.products(for: [id]).first else { throw CancellationError() }
        return product
    }

    /// Refunds a transaction at the store.
    func refund(_ transaction: Transaction) async throws {
        _ = try await store.control("POST", "/transactions/\(transaction.id)/refund", [:])
    }

    /// Decides what waits for somebody else's yes.
    func decide(_ act: String) async throws {
        let waiting = try await store.control("GET", "/approvals")
        guard let first = (waiting["items"] as? [[String: Any]])?.first, let id = first["purchaseId"] else {
            throw CancellationError()
        }
        _ = try await store.control("POST", "/approvals/\(id)/\(act)")
    }
}

extension Product.PurchaseResult {
    /// What was bought; throws for anything else, and for what is not verified.
    func bought() throws -> Transaction {
        guard case .success(let result) = self else { throw UnexpectedResult(text: "\(self)") }
        return try result.payloadValue
    }

    struct UnexpectedResult: Error {
        let text: String
    }

    var word: String {
        switch self {
        case .success: "success"
        case .userCancelled: "cancelled"
        case .pending: "pending"
        }
    }
}

extension Transaction.Transactions {
    /// The ids of all, of a sequence that ends.
    var ids: [UInt64] {
        get async {
            var found: [UInt64] = []
            for await result in self { found.append(result.unsafePayloadValue.id) }
            return found
        }
    }
}
