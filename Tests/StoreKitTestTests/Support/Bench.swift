import Foundation
import StoreKit
import StoreModel
import StoreService
import Synchronization
import Testing

@testable import StoreKitTest

/// A session whose time stands still, and an observer that finishes what it is told.
struct Bench: Sendable {
    static let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    let session: SKTestSession
    let observer = TellingObserver()

    init(_ name: String = "Monkeys", dialogs: @escaping @Sendable () -> (any PurchasePrompt)? = { nil }) throws {
        session = try SKTestSession(
            contentsOf: Self.url(name), StoreClocks(commerce: { Self.start }, wall: { Self.start }), dialogs: dialogs)
    }

    /// A session of the usual file with a few more settings, given as members of JSON.
    init(settings: String) throws {
        try self.init(text: Self.text().replacing(#""_storefront" : "USA""#, with: settings))
    }

    /// A session of a file with this text.
    init(text: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).storekit")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        session = try SKTestSession(
            contentsOf: file, StoreClocks(commerce: { Self.start }, wall: { Self.start }), dialogs: { nil })
    }

    /// The usual file.
    static func text() throws -> String { try String(contentsOf: url("Monkeys"), encoding: .utf8) }

    static func url(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: name, withExtension: "storekit"))
    }

    /// Runs an app under the session, with the observer at its queue.
    func run<Result: Sendable>(_ body: @Sendable (TellingObserver) async throws -> Result) async throws -> Result {
        let observer = observer
        return try await session.asCurrent {
            SKPaymentQueue.default().add(observer)
            defer { SKPaymentQueue.default().remove(observer) }
            return try await body(observer)
        }
    }

    static func add(_ product: String) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        SKPaymentQueue.default().add(payment)
    }

    static func products(_ identifiers: [String]) async throws -> SKProductsResponse {
        try await ProductAsker().ask(identifiers)
    }
}

/// Returns when everything that is on the main queue has been done.
func mainQueueDrained() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}

/// Asks for products and waits for the answer.
// Safe: what is set is set before the request starts; the continuation is resumed once, on the main queue.
private final class ProductAsker: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private var continuation: CheckedContinuation<SKProductsResponse, any Error>?
    private var request: SKProductsRequest?

    func ask(_ identifiers: [String]) async throws -> SKProductsResponse {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            let request = SKProductsRequest(productIdentifiers: Set(identifiers))
            self.request = request
            request.delegate = self
            request.start()
        }
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        continuation.take()?.resume(returning: response)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        continuation.take()?.resume(throwing: error)
    }
}
