import CCurl
import StoreFoundation
import Synchronization

/// The thread that owns everything of libcurl, and its queue of commands.
final class ClientLoop: Sendable {
    private struct Inbox {
        var commands: [LoopCommand] = []
        /// Unfinished exchanges.
        var exchanges = 0
        var isStopping = false
        var hasEnded = false
        /// Set while the thread may be polling. It is resumed under the lock, so never after it is gone.
        nonisolated(unsafe) var polling: UnsafeMutableRawPointer?  // Safe: only touched under the lock.
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let inbox = Mutex(Inbox())
    private let configuration: HTTPClientConfiguration

    init(_ configuration: HTTPClientConfiguration) {
        self.configuration = configuration
    }

    /// Starts the thread, which retains this object until its end. Without a thread every request fails.
    func start() {
        if !OwnThread.start(named: "till-http", { self.run() }) { conclude() }
    }

    // MARK: From any thread

    /// The number of unfinished exchanges.
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

    /// Requests the thread to end everything.
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
        // The first command in the queue has resumed the thread already.
        if inbox.commands.count == 1, let polling = inbox.polling { _ = curl_multi_wakeup(polling) }
    }

    // MARK: On the thread

    private func run() {
        serve()
        conclude()
    }

    private func serve() {
        guard let multi = MultiHandle(configuration.limits) else { return }
        // Safe: kept under the lock, and used only for waking, which libcurl allows to all threads.
        nonisolated(unsafe) let pointer = multi.pointer
        inbox.withLock { $0.polling = pointer }
        var table = TransferTable(multi, configuration)
        while let commands = takeCommands() {
            var ended = 0
            for command in commands { ended += table.apply(command) }
            ended += table.perform()
            discount(ended)
            // A wake-up since the commands were taken makes this return at once.
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

    /// The end of the thread: refuses late commands and resumes what waits for the end.
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

/// A command for the client's thread.
enum LoopCommand: Sendable {
    case begin(Exchange)
    /// Ends an exchange; ignored if it has ended.
    case cancel(Exchange)
    /// Resumes an exchange.
    case wake(Exchange)
}

/// libcurl's global state.
enum LibCurl {
    /// Whether it was initialized, once per process.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

/// Owns libcurl's multi handle: its transfers and open connections. Belongs to the client's thread.
struct MultiHandle: ~Copyable {
    /// Other threads may use it only to wake the thread that polls.
    let pointer: UnsafeMutableRawPointer

    init?(_ limits: ClientLimits) {
        guard LibCurl.isReady, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        _ = till_curl_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.connections)
        _ = till_curl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, limits.connectionsPerHost)
        _ = till_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, limits.idleConnections)
        _ = till_curl_multi_set_long(pointer, CURLMOPT_PIPELINING, 0)
    }

    deinit { curl_multi_cleanup(pointer) }

    /// Performs what is possible without waiting.
    func perform() {
        var running: Int32 = 0
        _ = curl_multi_perform(pointer, &running)
    }

    /// Waits for activity, or until it is resumed.
    func poll() { _ = curl_multi_poll(pointer, nil, 0, 60_000, nil) }

    /// The next transfer that has ended, with libcurl's result.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        return till_curl_next_ended(pointer, &result).map { ($0, result) }
    }
}
