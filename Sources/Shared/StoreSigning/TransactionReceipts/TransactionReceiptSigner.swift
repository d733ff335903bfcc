package import StoreModel

/// Makes transaction receipts of the iOS 6 form.
package struct TransactionReceiptSigner: Sendable {
    private let certifiedKey: CertifiedKey
    private let chain: VerifiedChain
    private let environment: StoreEnvironment

    package init(_ certifiedKey: CertifiedKey, environment: StoreEnvironment) throws {
        guard certifiedKey.key.algorithm == .rsa else {
            throw SigningError(.algorithmNotAllowed, "a receipt is signed with an RSA key")
        }
        self.certifiedKey = certifiedKey
        chain = VerifiedChain(certifiedKey.chain)
        self.environment = environment
    }

    /// The receipt as an app gets it; clients send it on in Base64.
    ///
    /// Throws if a verifier would refuse it: for more keys or bytes than a receipt may have, or a purchase made after
    /// the end of the certificate.
    package func sign(_ receipt: TransactionReceipt) throws -> [UInt8] {
        guard receipt.purchaseDate <= chain.notAfter else {
            throw SigningError(.outsideValidity, "the purchase was made after the end of the certificate that signs it")
        }
        guard receipt.entries.entries.count <= SigningLimits.propertyListKeys else {
            throw SigningError(.tooLarge, "the receipt has more than \(SigningLimits.propertyListKeys) keys")
        }
        let purchaseInfo = Array(receipt.entries.text.utf8)
        let signature = try TransactionReceiptSignature(
            signature: certifiedKey.key.signature(
                for: TransactionReceiptSignature.signedBytes(purchaseInfo), digest: .sha1),
            certificate: certifiedKey.chain.leaf.derRepresentation)
        var entries = [
            (key: "signature", value: Base64.encode(signature.encoded)),
            (key: "purchase-info", value: Base64.encode(purchaseInfo)),
        ]
        // Production receipts do not name their environment.
        if environment == .sandbox { entries.append((key: "environment", value: "Sandbox")) }
        entries.append((key: "pod", value: environment == .sandbox ? "100" : "17"))
        entries.append((key: "signing-status", value: "0"))
        let bytes = Array(PropertyListText(entries).text.utf8)
        guard bytes.count <= SigningLimits.transactionReceiptBytes else {
            throw SigningError(.tooLarge, "the receipt exceeds \(SigningLimits.transactionReceiptBytes) bytes")
        }
        return bytes
    }
}

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

/// Verifies transaction receipts of the iOS 6 form, which only the store that made them can do: they contain the leaf
/// certificate only.
package final class TransactionReceiptVerifier: Sendable {
    private let chains: ChainVerifier
    private let intermediates: [Certificate]
    private let recent = RecentChains<VerifiedChain>()

    /// Trusts these roots only, through these intermediates, except revoked certificates.
    package init(roots: [Certificate], intermediates: [Certificate], revocations: Revocations = Revocations()) throws {
        chains = try ChainVerifier(roots: roots, requirements: .receipt, revocations: revocations)
        self.intermediates = intermediates
    }

    /// The environment that a receipt claims. It is not signed; the chain under which the receipt verifies decides.
    package static func claimedEnvironment(of receipt: [UInt8]) throws -> StoreEnvironment {
        let name = try PropertyListText(parsing: receipt)["environment"] ?? ""
        return PropertyListText.areSame(name, "Sandbox") ? .sandbox : .production
    }

    /// The purchase in a receipt, verified or not.
    package static func claimedEntries(of receipt: [UInt8]) throws -> [(key: String, value: String)] {
        try PropertyListText(parsing: data("purchase-info", of: PropertyListText(parsing: receipt))).entries
    }

    /// Throws for a receipt of which a part cannot be read: the purchase, the signature, or the certificate. Nothing is
    /// verified.
    package static func requireReadable(_ bytes: [UInt8]) throws {
        let container = try PropertyListText(parsing: bytes)
        _ = try TransactionReceipt(PropertyListText(parsing: data("purchase-info", of: container)))
        let signature = try TransactionReceiptSignature(decoding: data("signature", of: container))
        _ = try Certificate(derRepresentation: signature.certificate)
    }

    package func verify(_ bytes: [UInt8]) throws -> TransactionReceipt {
        let container = try PropertyListText(parsing: bytes)
        let purchaseInfo = try Self.data("purchase-info", of: container)
        let signature = try TransactionReceiptSignature(decoding: Self.data("signature", of: container))
        let chain = try chain(of: signature.certificate)
        let signed = TransactionReceiptSignature.signedBytes(purchaseInfo)
        guard try chain.chain.leaf.publicKey.isValidSignature(signature.signature, for: signed, digest: .sha1) else {
            throw SigningError(.invalidSignature, "the signature of the receipt does not match its content")
        }
        let receipt = try TransactionReceipt(PropertyListText(parsing: purchaseInfo))
        // The receipt does not say when it was signed, and an old purchase may be signed again today. But no
        // certificate signs a purchase that was made after its own end.
        guard receipt.purchaseDate <= chain.notAfter else {
            throw SigningError(
                .outsideValidity, "the purchase was made after the end of the certificate that signed it")
        }
        return receipt
    }

    private func chain(of leaf: [UInt8]) throws -> VerifiedChain {
        if let known = leaf.withUnsafeBytes({ recent.value(for: $0) }) { return known }
        let chain = try chains.verify(leaf: Certificate(derRepresentation: leaf), others: intermediates)
        recent.remember(chain, for: leaf)
        return chain
    }

    private static func data(_ key: String, of container: PropertyListText) throws -> [UInt8] {
        guard let text = container[key] else {
            throw SigningError(.malformed, "\(key) is missing from the receipt")
        }
        guard let bytes = Base64.decode(text) else {
            throw SigningError(.malformed, "\(key) of the receipt is not Base64")
        }
        return bytes
    }
}
