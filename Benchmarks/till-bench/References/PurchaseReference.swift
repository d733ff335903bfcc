import CBenchReference

/// The rows of purchases, written by C into a database like the store's: so many purchases at a time, each step of all of them
/// in one durable commit, and what the processor keeps in a file of its own.
final class PurchaseReference: Contestant {
    private let store: StoreFolder
    private let pointer: OpaquePointer
    private let together: Int

    init(_ store: StoreFolder, together: Int) throws {
        guard
            let pointer = till_purchase_reference_new(
                store.database, store.path + "/effects.jsonl",
                Int64(store.customers * StoreFiller.purchasesPerCustomer))
        else { throw BenchmarkError("the C reference cannot write to \(store.database)") }
        (self.store, self.pointer, self.together) = (store, pointer, together)
    }

    deinit {
        till_purchase_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        var done = 0
        while clock.now < end {
            guard till_purchase_reference_run(pointer, Int32(together)) == 1 else {
                throw BenchmarkError("the C reference cannot write a purchase")
            }
            done += together
        }
        return Rate(operations: done, seconds: (clock.now - start) / .seconds(1))
    }
}
