import StoreHTTP
import StoreModel
import StoreService
import Synchronization

/// How often the servers of an app may ask the App Store Server API: each operation has a bucket of its own.
package final class ServerAPIRates: Sendable {
    private let perSecond: Int
    private let buckets: Mutex<TokenBuckets>

    /// - Parameter perSecond: requests of one operation and app in the long run, and as many at once; 0 for any number.
    package init(perSecond: Int) {
        self.perSecond = perSecond
        buckets = Mutex(TokenBuckets(capacity: perSecond, perMinute: perSecond * 60, keys: Self.mostKeys))
    }

    /// Operations of apps that are counted.
    private static let mostKeys = 100_000

    /// Refuses what is too much by the wall clock; the caller is told the instant from which it is not.
    func require(_ caller: ServerCaller, _ operation: String, at wall: Instant) throws(APIError) {
        guard perSecond > 0 else { return }
        let outcome = buckets.withLock {
            $0.take("\(caller.app) \(operation)", at: wall.millisecondsSinceEpoch * 1_000_000)
        }
        guard !outcome.isAllowed else { return }
        let wait = max(1, (outcome.waitNanoseconds + 999_999) / 1_000_000)
        var error = APIError(
            ServerAPIError(.rateLimitExceeded, "\(operation) was asked too often for \(caller.bundle); wait \(wait) ms")
        )
        // The App Store has an instant here, in milliseconds.
        error.fields["Retry-After"] = String(wall.millisecondsSinceEpoch + wait)
        throw error
    }
}
