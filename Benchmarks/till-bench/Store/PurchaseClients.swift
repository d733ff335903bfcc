import CBenchReference

/// Clients that buy at a store, each one purchase after the other: opened, confirmed and finished.
final class PurchaseClients: Contestant {
    private let server: ServerProcess
    private let processor: ServerProcess
    private let pointer: OpaquePointer

    init(_ server: ServerProcess, _ processor: ServerProcess) throws {
        guard let pointer = till_purchase_clients_new(Int32(server.port), Int32(StoreFolder.clients)) else {
            throw BenchmarkError("the clients cannot reach the store")
        }
        (self.server, self.processor, self.pointer) = (server, processor, pointer)
    }

    deinit {
        till_purchase_clients_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let done = till_purchase_clients_run(pointer, seconds)
        guard done > 0 else {
            throw BenchmarkError("a purchase failed: \(String(cString: till_purchase_clients_answer(pointer)))")
        }
        return Rate(operations: Int(done), seconds: (clock.now - start) / .seconds(1))
    }
}
