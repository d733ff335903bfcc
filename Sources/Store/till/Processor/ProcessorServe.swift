import CommandOptions
import Foundation
import StoreHTTP
import StoreHTTPListener
import StoreLog
import StoreService

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
        let folder = ProcessorFolder(
            DataDirectory(arguments[DataOptions.data]), arguments[ProcessorOptions.environment])
        let requests = ProcessSignals.requests()
        let inputEnd = arguments[ProcessorOptions.untilInputEnds] ? StandardInputEnd() : nil
        let log = LogWriter(format: arguments[ServeOptions.logFormat], write: context.warn).log(least: .warning)
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
