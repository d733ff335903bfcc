import StoreBackend
import StoreLog
import StoreModel

/// Asks the store from time to time what it told while nobody heard it.
struct BackendCatchUp: Sendable {
    private let backend: Backend
    private let interval: Duration
    private let log: Log

    init(_ backend: Backend, every interval: Duration, _ log: Log) {
        self.backend = backend
        self.interval = interval
        self.log = log
    }

    /// Asks at once and then at each interval, until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                let found = try await backend.catchUp(at: SystemClock.now())
                log.info(
                    "notifications.caught_up", "Asked the store for notifications that were missed.",
                    [
                        "missed": .number(Int64(found.missed.count)), "known": .number(Int64(found.known)),
                        "refused": .number(Int64(found.refused)),
                        "subscriptions": .number(Int64(found.subscriptions)),
                    ])
                for failure in found.failures { warn(failure.error, failure.environment.rawValue) }
                if found.hasMore { continue }
            } catch {
                warn(error)
            }
            try? await Task.sleep(for: interval)
        }
    }

    private func warn(_ error: any Error, _ environment: String = "") {
        log.warning(
            "notifications.not_caught_up", "The store could not be asked for notifications; it is tried again.",
            ["environment": .text(environment), "reason": "\(error)"])
    }
}
