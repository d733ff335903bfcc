import CommandOptions
import Foundation
import StoreFoundation
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import StoreLog
import StoreService
import TestProcessor

/// `till processor serve`
enum ProcessorServe {
    static let command = Command<TillProgram.Action>(
        "serve", "Run the test processor at a Unix socket.",
        discussion: """
            It speaks JSON over HTTP: POST /v1/authorise, /v1/capture, /v1/void, /v1/refund, /v1/actions/REFERENCE; GET \
            /v1/lookup?key=KEY, /v1/log?after=N, /v1/totals, /v1/methods; and /v1/scripts for what is to go wrong. Every \
            effect is on the disk before it is answered.

            Once it listens it says {"event":"ready","socket":PATH,"pid":N}. SIGTERM and SIGINT stop it.
            """,
        options: [
            ProcessorOptions.socket, ProcessorOptions.actionURL, ProcessorOptions.newsURL,
            ProcessorOptions.newsSocket, ProcessorOptions.newsSecret, ProcessorOptions.lateSeconds,
            ProcessorOptions.waitSeconds, ProcessorOptions.untilInputEnds, ServeOptions.logFormat,
        ],
        rules: ProcessorOptions.rules,
        examples: [Example("A processor alone, to try it with curl", "till processor serve --data ./payments")],
        exitCodes: [
            .tryAgain.when("Another process has the log and did not end in time."),
            .inputOutput.when("The disk does not take the log."),
            .configuration.when("The log is damaged."),
            .unavailable.when("The socket cannot be listened at."),
        ],
        seeAlso: ["till processor log"],
        action: run)

    private enum End: Sendable {
        case asked
        case broken(TestProcessorLogError)
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let serving = ServingLog(arguments[ServeOptions.logFormat] ?? .text, least: .warning)
        try await serving.run { try await run(arguments, context, serving.log) }
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext, _ log: Log) async throws {
        let folder = ProcessorFolder(
            DataDirectory(arguments[DataOptions.data]), arguments[ProcessorOptions.environment])
        let requests = ProcessSignals.requests()
        let inputEnd = arguments[ProcessorOptions.untilInputEnds] ? StandardInputEnd() : nil
        let file = try await folder.open(waiting: arguments[ProcessorOptions.waitSeconds])
        let processor = try DurableTestProcessor(file, actionURL: arguments[ProcessorOptions.actionURL])
        let socketFolder = try SocketFolder(folder.directory)
        let socket = arguments[ProcessorOptions.socket] ?? socketFolder.path(of: ProcessorFolder.socketName)
        let news = try ProcessorNewsDelivery(arguments, processor)
        let listener = try HTTPListener(
            ListenerConfiguration(.unix(socket)), serving: service(arguments, processor, news, log))
        context.print(ready(arguments[ProcessorOptions.socket] ?? "\(folder.path)/\(ProcessorFolder.socketName)"))
        let ends = AsyncStream<End>.makeStream()
        let watchers = [
            Task { if let error = await processor.failure() { ends.continuation.yield(.broken(error)) } },
            Task {
                await inputEnd?.reached()
                if inputEnd != nil { ends.continuation.yield(.asked) }
            },
            Task {
                for await case .stop in requests { ends.continuation.yield(.asked) }
            },
        ]
        var reason = End.asked
        for await end in ends.stream {
            reason = end
            break
        }
        for watcher in watchers { watcher.cancel() }
        await news?.stop()
        await listener.stop(within: .seconds(1))
        processor.close()
        withExtendedLifetime(socketFolder) {}
        if case .broken(let error) = reason { throw error }
    }

    private static func ready(_ socket: String) -> String {
        JSONValue.members(["event": .string("ready"), "socket": .string(socket), "pid": .integer(Int(getpid()))]).text
    }

    private static func service(
        _ arguments: ParsedArguments, _ processor: DurableTestProcessor, _ news: ProcessorNewsDelivery?, _ log: Log
    ) -> HTTPService {
        let routes = TestProcessorRoutes(
            processor, late: .seconds(arguments[ProcessorOptions.lateSeconds]), crash: { kill(getpid(), SIGKILL) },
            acted: { news?.wake() })
        return HTTPService(
            routes.routes, errors: JSONErrorForm(),
            report: { error, _ in
                log.error("processor.failed", "A call could not be answered.", ["reason": "\(error)"])
            })
    }
}

/// Delivers notifications to the address given to `till processor serve`.
struct ProcessorNewsDelivery: Sendable {
    private let client: HTTPClient
    private let news: TestProcessorNews
    /// The socket is reached through it.
    private let folder: SocketFolder?
    private let task: Task<Void, Never>

    /// nil if no address was given.
    init?(_ arguments: ParsedArguments, _ processor: DurableTestProcessor) throws {
        guard let url = arguments[ProcessorOptions.newsURL], let secret = arguments[ProcessorOptions.newsSecret]
        else { return nil }
        let place = try arguments[ProcessorOptions.newsSocket].map { path in
            let name = (path as NSString).lastPathComponent
            let sockets = try SocketFolder(DataDirectory((path as NSString).deletingLastPathComponent))
            return (folder: sockets, path: sockets.path(of: name))
        }
        let client = HTTPClient(HTTPClientConfiguration(addresses: .everywhere))
        let news = TestProcessorNews(
            processor, client, url: url, socketPath: place?.path,
            signature: try NewsSignature(secret: secret), now: SystemClock.now)
        self.client = client
        folder = place?.folder
        self.news = news
        task = Task { await news.deliver() }
    }

    func wake() { news.wake() }

    func stop() async {
        task.cancel()
        await client.shutDown()
        withExtendedLifetime(folder) {}
    }
}

/// Notices the end of standard input: the process at its other end is gone.
struct StandardInputEnd: Sendable {
    private let stream: AsyncStream<Void>

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        OwnThread.start(named: "standard input") {
            var bytes = [UInt8](repeating: 0, count: 256)
            while true {
                let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            continuation.finish()
        }
    }

    /// Returns when it has ended.
    func reached() async {
        for await _ in stream {}
    }
}
