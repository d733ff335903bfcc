import CBenchReference
import Foundation

/// Content and signature of a receipt as OpenSSL finds them, for a reference that is spared taking receipts apart.
struct ReceiptParts {
    let content: [UInt8]
    let signature: [UInt8]

    init(_ receipt: [UInt8]) throws {
        var content = till_reference_bytes()
        var signature = till_reference_bytes()
        let found = till_receipt_parts(receipt, receipt.count, &content, &signature)
        defer {
            free(content.bytes)
            free(signature.bytes)
        }
        guard found == 1 else { throw BenchmarkError("OpenSSL cannot take a receipt apart") }
        self.content = Array(UnsafeBufferPointer(start: content.bytes, count: content.count))
        self.signature = Array(UnsafeBufferPointer(start: signature.bytes, count: signature.count))
    }
}
