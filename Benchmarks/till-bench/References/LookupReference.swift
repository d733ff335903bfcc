import CBenchReference

/// What verifyReceipt asks the books, asked by C.
final class LookupReference: Contestant {
    private let store: StoreFolder
    private let pointer: OpaquePointer
    private var customer = 0

    init(_ store: StoreFolder) throws {
        guard let pointer = till_lookup_reference_new(store.database) else {
            throw BenchmarkError("the C reference cannot read \(store.database)")
        }
        (self.store, self.pointer) = (store, pointer)
    }

    deinit {
        till_lookup_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        var done = 0
        // The same customers whose receipts the store is sent.
        let (count, step) = (min(ReceiptBodies.count, store.customers), max(1, store.customers / ReceiptBodies.count))
        while clock.now < end {
            for _ in 0..<64 {
                customer = (customer + 1) % count
                let first = StoreFiller.firstTransaction + Int64(customer * step + 1)
                guard till_lookup_reference_run(pointer, first, Int64(store.customers)) == 1 else {
                    throw BenchmarkError("the C reference does not find the transactions of a customer")
                }
            }
            done += 64
        }
        return Rate(operations: done, seconds: (clock.now - start) / .seconds(1))
    }
}
