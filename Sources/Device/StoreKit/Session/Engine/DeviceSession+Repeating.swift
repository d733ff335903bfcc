import StoreHTTPClient
import StoreModel

extension DeviceSession {
    /// Does something, and again where that may help.
    ///
    /// Only for what may be done twice: requests that only ask, that have a key, or that say what is so already.
    ///
    /// - Parameter forever: until it succeeds, is refused, or the task is cancelled.
    func repeating<Result: Sendable>(
        forever: Bool = false, _ body: () async throws(ConnectionError) -> Result
    ) async throws(ConnectionError) -> Result {
        var policy = settings.retries
        if forever { policy.attempts = .max }
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
