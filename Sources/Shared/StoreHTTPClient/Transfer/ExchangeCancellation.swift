import Synchronization

/// Cancels an exchange, also one that is only about to be made.
final class ExchangeCancellation: Sendable {
    private struct State {
        var exchange: Exchange?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func attach(_ exchange: Exchange) {
        let isCancelled = state.withLock {
            $0.exchange = exchange
            return $0.isCancelled
        }
        if isCancelled { exchange.cancel() }
    }

    func cancel() {
        let exchange = state.withLock {
            $0.isCancelled = true
            return $0.exchange
        }
        exchange?.cancel()
    }
}
