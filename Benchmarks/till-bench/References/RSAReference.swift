import CBenchReference

/// SHA-256 and an RSA signature, verified by C with everything prepared.
final class RSAReference {
    private let pointer: OpaquePointer

    /// The key in DER, as SubjectPublicKeyInfo.
    init(publicKey: [UInt8]) throws {
        guard let pointer = till_rsa_reference_new(publicKey, publicKey.count) else {
            throw BenchmarkError("the C reference does not take the public key")
        }
        self.pointer = pointer
    }

    deinit {
        till_rsa_reference_free(pointer)
    }

    func verify(_ content: [UInt8], signature: [UInt8]) throws {
        guard till_rsa_reference_verify(pointer, content, content.count, signature, signature.count) == 1 else {
            throw BenchmarkError("the C reference refuses the signature of a receipt")
        }
    }
}
