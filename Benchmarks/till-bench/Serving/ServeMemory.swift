/// A store that has nothing to do: how many fit into a gigabyte of memory.
final class ServeMemory: Contestant {
    private let server: TillServer

    init(_ server: TillServer) {
        self.server = server
    }

    /// The time of the rate is the memory of one in gigabytes.
    func run(seconds: Double) throws -> Rate {
        var bytes = 0
        _ = try server.start { process, _ in bytes = try ProcessMemory.resident(of: process) }
        return Rate(operations: 1, seconds: Double(bytes) / 1e9)
    }
}
