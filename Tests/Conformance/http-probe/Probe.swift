import Foundation
import StoreHTTP
import StoreHTTPListener
import TestSupport

/// A server for foreign clients: the service of the shared transport cases on a free port, until its input ends.
///
/// Arguments: `--unix PATH` or `--tls CERTIFICATE KEY`, `--file PATH` for what `/file` answers, `--record` for a service
/// that executes whatever it is given instead, `--quick` for short time limits. It prints where it listens, and takes another certificate for each line `CERTIFICATE KEY` of its input.
enum Probe {
    static func run() {
        var arguments = CommandLine.arguments.dropFirst()
        var configuration = ListenerConfiguration(.tcp(port: 0))
        var file: String?
        var recorder: Recorder?
        while let argument = arguments.popFirst() {
            switch argument {
            case "--unix": configuration.endpoint = .unix(arguments.popFirst() ?? "")
            case "--tls":
                configuration.tls = TLSFiles(
                    certificate: arguments.popFirst() ?? "", key: arguments.popFirst() ?? "")
            case "--file": file = arguments.popFirst()
            case "--record": recorder = Recorder()
            case "--port": configuration.endpoint = .tcp(port: arguments.popFirst().flatMap { Int($0) } ?? 0)
            case "--quick": configuration.limits.makeQuick()
            default: fail("\(argument) is unknown")
            }
        }
        let service = recorder?.service ?? service(file: file)
        guard service.problems.isEmpty else { fail(service.problems.joined(separator: " ")) }
        serve(configuration, service) { recorder?.watch($0) }
    }

    private static func serve(
        _ configuration: ListenerConfiguration, _ service: HTTPService, started: (HTTPListener) -> Void
    ) {
        let listener: HTTPListener
        do {
            listener = try HTTPListener(configuration, serving: service)
        } catch {
            fail("\(error)")
        }
        started(listener)
        print(listener.endpoint.port.map { "\($0)" } ?? "ready")
        fflush(nil)
        Task {
            // Reading blocks a thread of the pool, which this program has to spare: nothing else runs on it for long.
            while let line = await nextLine() {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 2 else { continue }
                do {
                    try await listener.reload(TLSFiles(certificate: words[0], key: words[1]))
                    print("reloaded")
                } catch {
                    print("refused")
                }
                fflush(nil)
            }
            exit(await listener.stop(within: .seconds(60)) ? 0 : 1)
        }
        while true { sleep(1000) }
    }

    /// A line of the input, read on a thread of its own.
    private static func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }

    private static func service(file: String?) -> HTTPService {
        TransportService.make(
            with: ClientRoutes.make(file: file) + [
                .get("/json") { _ in
                    HTTPResponse(.ok, Array(#"{"status":"ok","value":42}"#.utf8), as: "application/json")
                },
                .get("/json/later") { _ in
                    await Task.yield()
                    return HTTPResponse(.ok, Array(#"{"status":"ok","value":42}"#.utf8), as: "application/json")
                },
                .get("/poll") { _ in
                    try await Task.sleep(for: ListenerLimits.longPoll)
                    return HTTPResponse(.noContent)
                },
                .get("/file") { _ in
                    guard let file = file.flatMap({ OpenFile(path: $0) }) else { return HTTPResponse(.notFound) }
                    return HTTPResponse(.ok, body: .file(FileBody(file)))
                },
            ])
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("http-probe: \(message)\n".utf8))
        exit(2)
    }
}

extension ListenerLimits {
    fileprivate mutating func makeQuick() {
        headTime = .milliseconds(500)
        idleTime = .seconds(2)
        bodyTime = .milliseconds(500)
        stallTime = .milliseconds(500)
        farewellTime = .milliseconds(100)
    }
}
