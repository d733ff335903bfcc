/// Starts of a store that has been started before: how many fit into a second.
final class ServeStart: Contestant {
    private let server: TillServer

    init(_ server: TillServer) {
        self.server = server
    }

    func run(seconds: Double) throws -> Rate {
        var total = 0.0
        var count = 0
        repeat {
            total += try server.start { _, _ in }
            count += 1
        } while total < seconds
        return Rate(operations: count, seconds: total)
    }
}
