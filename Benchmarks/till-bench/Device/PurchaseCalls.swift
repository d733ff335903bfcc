import Foundation
import StoreKitTest

/// An app that buys one consumable after the other with `purchase()`, in a session of StoreKitTest. What counts is the time
/// of the call; that the transaction is finished in between does not.
enum PurchaseCalls {
    static func contestant(_ sessions: TestSessions) throws -> any Contestant {
        let session = try sessions.make()
        let product = try FirstThread.wait {
            try await session.asCurrent { try await Product.products(for: [TestSessions.product]).first }
        }
        guard let product else { throw BenchmarkError("the session does not sell \(TestSessions.product)") }
        return WallContestant { clock in
            try FirstThread.wait {
                try await session.asCurrent {
                    let begin = clock.now
                    let bought = try await product.purchase()
                    let time = clock.now - begin
                    guard case .success(.verified(let transaction)) = bought else {
                        throw BenchmarkError("a purchase came to \(bought)")
                    }
                    await transaction.finish()
                    return time
                }
            }
        }
    }

    /// The requests of such a purchase, to the same store over the same transport, and nothing else.
    static func bare(_ sessions: TestSessions) throws -> any Contestant {
        let session = try sessions.make()
        let way = try FirstThread.wait { try await session.withoutApp() }
        return WallContestant { clock in
            defer { withExtendedLifetime(session) {} }
            return try FirstThread.wait {
                let purchase = BarePurchase(connection: way.connection, token: way.token)
                let begin = clock.now
                let transaction = try await purchase.buy(TestSessions.product)
                let time = clock.now - begin
                _ = try await purchase.send("POST", "/transactions/\(transaction)/finish")
                return time
            }
        }
    }
}
