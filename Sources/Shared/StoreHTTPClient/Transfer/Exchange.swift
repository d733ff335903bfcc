import StoreHTTP
import Synchronization

/// A request on its way, as those see it who wait for its response. Any thread may cancel it, once or often.
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

    /// Says that it has ended, so that nothing needs to be cancelled any more and nobody reads what is left to send.
    func conclude() {
        cancelled.store(true, ordering: .releasing)
        request.body.giveUp()
    }

    /// Says that what had to wait can go on.
    func wake() { loop.post(.wake(self)) }
}
