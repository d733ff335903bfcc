import Foundation

/// Ten thousand connections, each of which has asked once and now waits in a long poll: how many fit into a megabyte.
final class IdlePolls: Contestant {
    static let count = 10_000

    init() {
        DescriptorLimit.raise()
    }

    /// One measurement, however long it takes: the memory of the process with the polls less that without them. The time
    /// of the rate is that memory in megabytes.
    func run(seconds: Double) throws -> Rate {
        let server = try ServerProcess([])
        // What the first requests load stays.
        for _ in 0..<100 { _ = try connection(to: server) }
        let before = try server.memory()
        let connections = try (0..<Self.count).map { _ in try connection(to: server) }
        for connection in connections where !connection.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n") {
            throw BenchmarkError("a poll could not be sent")
        }
        while try server.requestsAtWork() < Self.count { usleep(10_000) }
        let bytes = try server.memory() - before
        return withExtendedLifetime(connections) {
            Rate(operations: Self.count, seconds: Double(bytes) / 1_048_576)
        }
    }

    /// A connection that has had an answer, so that whatever it keeps between requests is there.
    private func connection(to server: ServerProcess) throws -> LoopbackSocket {
        guard let connection = LoopbackSocket(port: server.port),
            connection.send("GET /json HTTP/1.1\r\nHost: a\r\n\r\n"), connection.receive()
        else { throw BenchmarkError("a connection was refused; ten thousand need as many descriptors (ulimit -n)") }
        return connection
    }
}

/// A limit in the place of another program.
final class FixedRate: Contestant {
    private let rate: Rate

    init(_ rate: Rate) {
        self.rate = rate
    }

    func run(seconds: Double) throws -> Rate { rate }
}
