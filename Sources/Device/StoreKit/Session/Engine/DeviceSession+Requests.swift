import StoreFoundation
import StoreHTTP
import StoreHTTPClient
package import StoreModel
import Synchronization

/// Requests of the app that want an answer, and how requests are repeated.
extension DeviceSession {
    /// Gets the receipt of the app anew, without a question to the customer.
    package func refreshReceipt(_ properties: ReceiptProperties = ReceiptProperties()) async throws(SessionFailure) {
        try await asked { () async throws(ConnectionError) in
            try await self.withinTime { () async throws(ConnectionError) in
                try await self.device.prepare()
                try await self.receipt.renew(properties)
            }
        }
    }

    package func products(for identifiers: Set<String>) async throws(SessionFailure) -> ProductAnswer {
        let found = try await asked { () async throws(ConnectionError) in
            var found = ProductsAnswer(products: [], invalid: [])
            for page in Self.pages(of: identifiers.sorted()) {
                let answer = try await self.withinTime { () async throws(ConnectionError) in
                    try await self.device.prepare()
                    return try await self.device.products(page)
                }
                found.products += answer.products
                found.invalid += answer.invalid
            }
            return found
        }
        report(found.invalid)
        return ProductAnswer(
            products: found.products.map { ProductRecord($0, in: storefront?.countryCode) },
            invalidIdentifiers: found.invalid.map(\.productId))
    }

    /// Tells the developer why products cannot be sold.
    func report(_ invalid: [InvalidProductAnswer]) {
        for invalid in invalid {
            guard let explanation = invalid.explanation else { continue }
            let advice = invalid.nearest.map { " Did you mean \($0)?" } ?? ""
            settings.report("\(invalid.productId) cannot be sold. \(explanation)\(advice)")
        }
    }

    /// Asks the store on the session's own executor; the developer is told why that failed.
    private func asked<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(ConnectionError) -> Result
    ) async throws(SessionFailure) -> Result {
        do throws(ConnectionError) {
            return try await TaskThreads.run(on: settings.executor, body)
        } catch {
            trouble.note(error)
            throw SessionFailure(error)
        }
    }

    private static func pages(of identifiers: [String]) -> [[String]] {
        stride(from: 0, to: identifiers.count, by: ProductsRequest.longest).map { start in
            Array(identifiers[start..<min(start + ProductsRequest.longest, identifiers.count)])
        }
    }

    /// Does something, again where that may help, and gives up after the longest time that a request may take.
    func withinTime<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(ConnectionError) -> Result
    ) async throws(ConnectionError) -> Result {
        let wait = settings.retries.wait
        let longest = settings.longestRequest
        let outcome = await withTaskGroup(of: Swift.Result<Result, ConnectionError>?.self) { group in
            group.addTask {
                do throws(ConnectionError) {
                    return .success(try await self.repeating(body))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await wait(longest)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if Task.isCancelled { throw .abandoned }
        guard let outcome else {
            throw ConnectionError(
                .unreachable(mayHaveHappened: true), code: "timed_out", "The store took too long to answer.")
        }
        return try outcome.get()
    }

    /// Does something, and again where that may help.
    ///
    /// Only for what may be done twice: requests that only ask, that have a key, or that say what is so already.
    ///
    /// - Parameters:
    ///   - forever: until it succeeds, is refused, or the task is cancelled.
    ///   - attempts: how often, if not as often as usual.
    func repeating<Result: Sendable>(
        forever: Bool = false, attempts: Int? = nil, _ body: () async throws(ConnectionError) -> Result
    ) async throws(ConnectionError) -> Result {
        var policy = settings.retries
        policy.attempts = forever ? .max : attempts ?? policy.attempts
        var failures = 0
        while true {
            do throws(ConnectionError) {
                return try await body()
            } catch {
                failures += 1
                guard error.isTemporary, !Task.isCancelled,
                    let delay = policy.delay(afterFailures: failures, retryAfter: error.retryAfter)
                else { throw Task.isCancelled ? .abandoned : error }
                do {
                    try await policy.wait(delay)
                } catch {
                    throw .abandoned
                }
            }
        }
    }
}
