import Foundation
import StoreHTTP
import StoreHTTPListener

/// Our side of the rows about HTTP: a process of its own, as nginx is.
///
/// `till-bench serve-http [--file PATH] [--tls CERTIFICATE KEY]` prints its port, serves until its input ends, and is not
/// meant for people.
enum BenchServer {
    static let word = "serve-http"
    /// As many as nginx is given workers.
    static let threads = 2

    static func run(_ arguments: some Sequence<String>) -> Never {
        var file: OpenFile?
        var configuration = ListenerConfiguration(.tcp(port: 0), threads: threads)
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            switch (option, rest.next()) {
            case ("--file", let path?): file = OpenFile(path: path)
            case ("--tls", let path?): configuration.tls = TLSFiles(certificate: path, key: rest.next() ?? "")
            default: end("\(option) is unknown")
            }
        }
        DescriptorLimit.raise()
        do {
            let listener = try HTTPListener(configuration, serving: service(file))
            print(listener.endpoint.port ?? 0)
            fflush(nil)
            while readLine() != nil {
                print(listener.statistics.suspended)
                fflush(nil)
            }
        } catch {
            end("\(error)")
        }
        exit(0)
    }

    private static func end(_ message: String) -> Never {
        StandardError.print("till-bench \(word): \(message)")
        exit(1)
    }

    private static func service(_ file: OpenFile?) -> HTTPService {
        let answer = Array(NginxConfiguration.smallAnswer.utf8)
        let elsewhere = OtherThread()
        return HTTPService(
            [
                .get("/json") { _ in HTTPResponse(.ok, answer, as: "application/json") },
                .get("/json/asynchronous") { _ in
                    await Task.yield()
                    return HTTPResponse(.ok, answer, as: "application/json")
                },
                .get("/json/suspended") { _ in
                    await elsewhere.visit()
                    return HTTPResponse(.ok, answer, as: "application/json")
                },
                Route(
                    .get, "/file",
                    handler: .immediate { _ in
                        file.map { .file($0, named: "file.bin") } ?? HTTPResponse(.notFound)
                    }, middleware: [ConditionalRequests { UInt64.random(in: 0 ... .max) }]),
                .get("/poll") { _ in
                    try await Task.sleep(for: ListenerLimits.longPoll)
                    return HTTPResponse(.noContent)
                },
            ], errors: JSONErrorForm()
        ) { _, _ in }
    }
}
