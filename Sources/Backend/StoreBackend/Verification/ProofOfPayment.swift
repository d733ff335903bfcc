import StoreSigning

/// What an app sends to show that something was paid for: a receipt or a signed transaction.
public struct ProofOfPayment: Hashable, Sendable {
    /// The forms of proofs.
    // Closed: these are all the forms that StoreKit has given to apps.
    public enum Form: String, CaseIterable, Codable, Hashable, Sendable {
        /// The receipt of the app, which lists all its purchases.
        case appReceipt = "app_receipt"
        /// The receipt of one transaction, as iOS 6 and before had it.
        case transactionReceipt = "transaction_receipt"
        /// A transaction that the store has signed, as StoreKit 2 has it.
        case signedTransaction = "signed_transaction"
    }

    /// Which form it has.
    public let form: Form
    /// The bytes as the store gave them; of a signed transaction its text.
    public let bytes: [UInt8]

    /// Makes a proof of a form that is known.
    public init(_ form: Form, _ bytes: [UInt8]) {
        self.form = form
        self.bytes = bytes
    }

    /// The most bytes that ``init(reading:)`` takes: the largest receipt in Base64 with line ends.
    public static let longestText = 4_718_592
    /// The most bytes of an app receipt.
    public static let largestAppReceipt = SigningLimits.receiptBytes
    /// The most bytes of the receipt of a transaction.
    public static let largestTransactionReceipt = SigningLimits.transactionReceiptBytes
    /// The most bytes of a signed transaction.
    public static let largestSignedTransaction = SigningLimits.jwsBytes
}

extension ProofOfPayment {
    /// Reads a proof as an app sends it, and finds out which form it has.
    ///
    /// It may be a receipt as it is, one in Base64, or the text of a signed transaction. Base64 may have line ends, the
    /// alphabet of URLs, no padding, spaces where a form has made them of plus signs, or stand in Base64 once more.
    /// Nothing is verified yet; throws ``BackendError`` for what is of no form.
    public init(reading bytes: [UInt8]) throws {
        guard bytes.count <= Self.longestText else {
            throw BackendError(.proofTooLarge, "The proof exceeds \(Self.longestText) bytes.")
        }
        if let proof = try Self.plain(bytes) {
            self = proof
            return
        }
        var text = bytes
        // Some clients encode what was encoded already.
        for _ in 0..<2 {
            text = try Self.decoded(text)
            if let proof = try Self.plain(text) {
                self = proof
                return
            }
        }
        throw BackendError(.malformedProof, "The proof is Base64 of something that is no receipt.")
    }

    /// The proof, if the bytes are one as the store gave it.
    private static func plain(_ bytes: [UInt8]) throws -> ProofOfPayment? {
        guard let first = bytes.first(where: { !isSpace($0) }) else {
            throw BackendError(.malformedProof, "The proof is empty.")
        }
        if bytes[0] == derSequence {
            return try ProofOfPayment(.appReceipt, bytes).within(largestAppReceipt)
        }
        if first == UInt8(ascii: "{") {
            let proof = try ProofOfPayment(.transactionReceipt, bytes).within(largestTransactionReceipt)
            do {
                _ = try TransactionReceiptVerifier.claimedEntries(of: bytes)
            } catch {
                throw BackendError(
                    .malformedProof, "The proof begins as the receipt of a transaction and is none: \(error).")
            }
            return proof
        }
        let dots = bytes.count { $0 == UInt8(ascii: ".") }
        guard dots > 0 else { return nil }
        let text = Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard dots == 2, text.allSatisfy({ $0 == UInt8(ascii: ".") || isURLCharacter($0) }) else {
            throw BackendError(.malformedProof, "The proof has dots and is not the text of a signed transaction.")
        }
        return try ProofOfPayment(.signedTransaction, text).within(largestSignedTransaction)
    }

    private func within(_ limit: Int) throws -> ProofOfPayment {
        guard bytes.count <= limit else {
            throw BackendError(.proofTooLarge, "A proof of the form \(form.rawValue) has at most \(limit) bytes.")
        }
        return self
    }

    /// The bytes behind a text of Base64 in either alphabet.
    private static func decoded(_ text: [UInt8]) throws -> [UInt8] {
        var characters = Array(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        characters = characters.compactMap { byte in
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: isSpace(byte) ? nil : byte
            }
        }
        while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
        guard let bytes = characters.withUnsafeBytes({ Base64.decode($0) }) else {
            throw BackendError(
                .malformedProof, "The proof is neither a receipt, nor Base64 of one, nor a signed transaction.")
        }
        return bytes
    }

    private static let derSequence: UInt8 = 0x30

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
