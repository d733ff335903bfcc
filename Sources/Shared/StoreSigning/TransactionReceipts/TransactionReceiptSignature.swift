/// The `signature` of a transaction receipt: a version, an RSA signature, and the certificate that made it.
struct TransactionReceiptSignature {
    /// Version 3 has a signature of 256 bytes; version 2, of keys of 1024 bits, is not made any more.
    static let version: UInt8 = 3
    static let signatureBytes = 256
    private static let lengthBytes = 4

    let signature: [UInt8]
    let certificate: [UInt8]

    /// What is signed: the version and the bytes of `purchase-info`.
    static func signedBytes(_ purchaseInfo: [UInt8]) -> [UInt8] { [version] + purchaseInfo }

    init(signature: [UInt8], certificate: [UInt8]) {
        self.signature = signature
        self.certificate = certificate
    }

    var encoded: [UInt8] {
        [Self.version] + signature + withUnsafeBytes(of: UInt32(certificate.count).bigEndian) { Array($0) }
            + certificate
    }

    init(decoding bytes: [UInt8]) throws {
        let certificateStart = 1 + Self.signatureBytes + Self.lengthBytes
        guard bytes.count > certificateStart, bytes[0] == Self.version else {
            throw SigningError(.malformed, "the signature of the receipt is too short or of another version")
        }
        let length = bytes[(1 + Self.signatureBytes)..<certificateStart].reduce(0) { $0 << 8 | Int($1) }
        guard length == bytes.count - certificateStart else {
            throw SigningError(.malformed, "the signature of the receipt promises another length of certificate")
        }
        signature = Array(bytes[1...Self.signatureBytes])
        certificate = Array(bytes[certificateStart...])
    }
}
