import StoreHTTP
import Synchronization

/// The caller's side of an unfinished request. Any thread may cancel it, any number of times.
final class Exchange: Sendable {
    let url: ClientURL
    let request: ClientRequest
    let receiver: any ResponseReceiver
    private let loop: ClientLoop
    private let cancelled = Atomic<Bool>(false)

    init(_ request: ClientRequest, at url: ClientURL, receiver: any ResponseReceiver, on loop: ClientLoop) {
        self.url = url
        self.request = request
        self.receiver = receiver
        self.loop = loop
    }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func begin() { loop.begin(self) }

    func cancel() {
        if !cancelled.exchange(true, ordering: .acquiringAndReleasing) { loop.post(.cancel(self)) }
    }

    /// Marks the exchange as ended: cancellation has no effect any more, and the rest of the body is not read.
    func conclude() {
        cancelled.store(true, ordering: .releasing)
        request.body.giveUp()
    }

    /// Resumes what had to wait.
    func wake() { loop.post(.wake(self)) }
}

/// Cancels an exchange, also before it was created.
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
