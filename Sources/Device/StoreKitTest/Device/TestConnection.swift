import Foundation
import StoreHTTPClient
import StoreKit
import StoreModel
import Synchronization

/// The way from the app to the store of a test, on which purchases fail while the test wants that.
struct TestConnection: StoreConnection {
    /// On which faults strike.
    let usual: MemoryConnection
    /// On which nothing goes wrong.
    let quiet: MemoryConnection
    let values: TestValues

    private var store: MemoryConnection { QuietPeriod.current?.isOver == false ? quiet : usual }

    func fetch(_ order: ContentOrder) async throws(DownloadError) { try await store.fetch(order) }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        if request.method == "POST", request.path == "/products",
            let failure = values.current.failure(of: .loadProducts)
        {
            throw ConnectionError(
                .refused(status: 0), code: "simulated", "The test lets requests for products fail.",
                storeKitCode: failure.originalCode.rawValue)
        }
        let answer = try await store.send(request)
        guard let code = values.current.failure, request.method == "POST", request.path == "/purchases",
            var purchase = try? JSONDecoder().decode(PurchaseAnswer.self, from: Data(answer.body)),
            purchase.confirmation != nil
        else { return answer }
        _ = try await store.send(
            StoreRequest("POST", "/purchases/\(purchase.key)/cancellation", token: request.token))
        purchase.state = .failed
        purchase.confirmation = nil
        purchase.failure = PurchaseFailureAnswer(
            code: WireWord(rawValue: "simulated"), message: "The test lets purchases fail.",
            storeKitCode: code.rawValue)
        var failed = answer
        failed.body = (try? JSONEncoder().encode(purchase)).map { Array($0) } ?? answer.body
        return failed
    }
}

/// The time in which a session brings the app up to date: what goes wrong on purpose is for the app's own requests.
final class QuietPeriod: Sendable {
    /// That in which the present task, or the one that began it, does something.
    @TaskLocal static var current: QuietPeriod?

    private let end = Mutex(false)

    /// Whether it has ended, which tasks have not heard that it left behind.
    var isOver: Bool { end.withLock { $0 } }

    static func during<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let period = QuietPeriod()
        defer { period.end.withLock { $0 = true } }
        return try await $current.withValue(period, operation: body)
    }
}
