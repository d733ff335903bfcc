import CBenchReference
import Foundation
import StoreSigning

/// What verifying a receipt costs a C programmer at least, on a thread for each core.
final class ReceiptPrimitives: Contestant {
    private static let cores = Int32(ProcessInfo.processInfo.activeProcessorCount)

    private let pointer: OpaquePointer

    init(_ bodies: ReceiptBodies, key keys: EnvironmentKeys) throws {
        guard let key = try keys.current[.receipt]?.chain.leaf.publicKey.derRepresentation,
            let pointer = till_receipt_reference_new(key, key.count)
        else { throw BenchmarkError("the C reference does not take the public key") }
        self.pointer = pointer
        for receipt in bodies.receipts where till_receipt_reference_add(pointer, Base64.encode(receipt)) != 1 {
            throw BenchmarkError("the C reference cannot take a receipt apart")
        }
    }

    deinit {
        till_receipt_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let done = till_receipt_reference_run(pointer, seconds, Self.cores)
        guard done > 0 else { throw BenchmarkError("the C reference refuses a receipt") }
        return Rate(operations: Int(done), seconds: (clock.now - start) / .seconds(1))
    }
}
