import CBenchReference

/// A receipt verified by C with OpenSSL's functions for CMS.
final class CMSReference {
    private let pointer: OpaquePointer

    /// The root in DER.
    init(root: [UInt8]) throws {
        guard let pointer = till_cms_reference_new(root, root.count) else {
            throw BenchmarkError("the C reference does not take the root certificate")
        }
        self.pointer = pointer
    }

    deinit {
        till_cms_reference_free(pointer)
    }

    func verify(_ receipt: [UInt8]) throws {
        guard till_cms_reference_verify(pointer, receipt, receipt.count) == 1 else {
            throw BenchmarkError("the C reference refuses a receipt")
        }
    }
}
