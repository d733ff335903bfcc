import Synchronization

/// What others want of a download, and whom to wake when that changes.
struct DownloadState {
    enum Wish: Hashable, Sendable {
        case run, pause, cancel
    }

    var wish = Wish.run
    var hasBegun = false
    var hasEnded = false
    /// The attempt that is under way.
    var attempt: ExchangeCancellation?
    /// The wait for the next attempt.
    var wait: Task<Void, any Error>?
    /// Who waits for the end of a pause.
    var paused: CheckedContinuation<Void, Never>?
    var progress = DownloadProgress(received: 0, expected: nil)
    var watchers: [Int: AsyncStream<DownloadProgress>.Continuation] = [:]
    var watcherCount = 0

    /// Ends whatever is under way, so that the wish is looked at; what is returned is to be done without the lock.
    mutating func interrupt() -> @Sendable () -> Void {
        let (attempt, wait, paused) = (attempt, wait, paused)
        self.paused = nil
        return {
            attempt?.cancel()
            wait?.cancel()
            paused?.resume()
        }
    }
}
