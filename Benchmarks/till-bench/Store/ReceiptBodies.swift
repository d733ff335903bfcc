import Foundation
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning

/// Bodies for `verifyReceipt`: receipts of many customers, in a file with a line for each, which wrk sends in turn.
final class ReceiptBodies: Sendable {
    static let count = 256

    let path: String
    let receipts: [[UInt8]]
    let bodies: [String]

    /// The receipts of customers that lie apart evenly.
    convenience init(_ store: StoreFolder, count: Int = count) throws {
        let step = max(1, store.customers / count)
        try self.init(store, of: (0..<min(count, store.customers)).map { $0 * step + 1 }, password: nil)
    }

    init(_ store: StoreFolder, of customers: [Int], password: String?) throws {
        let unsigned = try store.open { databases in
            try await databases.sandbox.read { transaction in
                try customers.map { customer in
                    try Receipts.appReceipt(
                        of: DeviceID(number: Int64(customer)), in: .sandbox,
                        opaqueValue: RandomBytes()(Receipts.opaqueBytes), at: BenchClock.start, in: transaction)
                }
            }
        }
        let signer = try store.keys.receiptSigner()
        receipts = try unsigned.map { try signer.sign($0) }
        let rest = password.map { #"","password":"\#($0)"}"# } ?? #""}"#
        bodies = receipts.map { #"{"receipt-data":""# + Base64.encode($0) + rest }
        path = store.path + "/bodies.txt"
        try bodies.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
}
