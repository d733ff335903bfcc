import CCurl
import Synchronization

/// The thread that owns everything of libcurl, and the way for others to tell it what to do.
final class ClientLoop: Sendable {
    private struct Inbox {
        var commands: [LoopCommand] = []
        /// Exchanges that have begun and not ended.
        var exchanges = 0
        var isStopping = false
        var hasEnded = false
        /// Set while the thread may be polling. Woken under the lock, so that it is never woken when gone.
        nonisolated(unsafe) var polling: UnsafeMutableRawPointer?  // Safe: only touched under the lock.
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let inbox = Mutex(Inbox())
    private let configuration: HTTPClientConfiguration

    init(_ configuration: HTTPClientConfiguration) {
        self.configuration = configuration
    }

    /// Starts the thread, which keeps this object until its end. Without a thread every request fails.
    func start() {
        if let thread = OwnThread(named: "till-http", { self.run() }) {
            thread.detach()
        } else {
            conclude()
        }
    }

    // MARK: From any thread

    /// How many exchanges have begun and not ended.
    var exchanges: Int { inbox.withLock { $0.exchanges } }

    func begin(_ exchange: Exchange) {
        let refusal: HTTPClientError? = inbox.withLock { inbox in
            if inbox.isStopping || inbox.hasEnded { return Self.isShutDown }
            guard inbox.exchanges < configuration.limits.queuedRequests else { return queueFull }
            inbox.exchanges += 1
            Self.enqueue(.begin(exchange), in: &inbox)
            return nil
        }
        guard let refusal else { return }
        exchange.conclude()
        exchange.receiver.end(.failure(refusal))
    }

    func post(_ command: LoopCommand) {
        inbox.withLock { inbox in
            if !inbox.hasEnded { Self.enqueue(command, in: &inbox) }
        }
    }

    /// Asks the thread to end everything.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            if let polling = inbox.polling { _ = curl_multi_wakeup(polling) }
        }
    }

    /// Returns when the thread has ended everything.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                if !inbox.hasEnded { inbox.waitingForEnd.append(continuation) }
                return inbox.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private static func enqueue(_ command: LoopCommand, in inbox: inout Inbox) {
        inbox.commands.append(command)
        // Whoever put the first command in has woken the thread already.
        if inbox.commands.count == 1, let polling = inbox.polling { _ = curl_multi_wakeup(polling) }
    }

    // MARK: On the thread

    private func run() {
        serve()
        conclude()
    }

    private func serve() {
        guard let multi = MultiHandle(configuration.limits) else { return }
        nonisolated(unsafe) let pointer = multi.pointer  // Safe: kept under the lock, and for one use allowed to all.
        inbox.withLock { $0.polling = pointer }
        var table = TransferTable(multi, configuration)
        while let commands = takeCommands() {
            var ended = 0
            for command in commands { ended += table.apply(command) }
            ended += table.perform()
            discount(ended)
            // A wake that came since the commands were taken makes this return at once.
            table.wait()
        }
        inbox.withLock { $0.polling = nil }
        discount(table.endAll(Self.isShutDown))
    }

    private func takeCommands() -> [LoopCommand]? {
        inbox.withLock { inbox in
            guard !inbox.isStopping else { return nil }
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    private func discount(_ ended: Int) {
        if ended > 0 { inbox.withLock { $0.exchanges -= ended } }
    }

    /// The last act: what was asked for too late is refused, and who waited for this is told.
    private func conclude() {
        let (commands, waiting) = inbox.withLock { inbox in
            inbox.hasEnded = true
            inbox.exchanges = 0
            defer { (inbox.commands, inbox.waitingForEnd) = ([], []) }
            return (inbox.commands, inbox.waitingForEnd)
        }
        for case .begin(let exchange) in commands {
            exchange.conclude()
            exchange.receiver.end(.failure(Self.isShutDown))
        }
        for continuation in waiting { continuation.resume() }
    }

    private static let isShutDown = HTTPClientError(
        .shutDown, "The client has been shut down.", outcome: .notSent)

    private var queueFull: HTTPClientError {
        let message = "\(configuration.limits.queuedRequests) requests are on their way already; try again later."
        return HTTPClientError(.queueFull, message, outcome: .notSent)
    }
}
