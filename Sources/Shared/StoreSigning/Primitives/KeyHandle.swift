import COpenSSL

/// Owns one `EVP_PKEY`.
// Safe: OpenSSL counts references atomically and an EVP_PKEY is not changed after it was made.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    var algorithm: KeyAlgorithm? {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA: .rsa
        case EVP_PKEY_EC where groupName == "prime256v1": .p256
        case EVP_PKEY_EC where groupName == "secp384r1": .p384
        default: nil
        }
    }

    private var groupName: String {
        var name = [CChar](repeating: 0, count: 80)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return "" }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
