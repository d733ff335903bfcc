package import StoreModel
import StoreSigning
import Synchronization

/// A signed transaction of this app whose signature was verified, with what it says. Only a profile makes one.
package struct VerifiedTransaction: Sendable {
    package let payload: TransactionPayload
    /// The JWS, as the store signed it.
    package let signed: String

    fileprivate init(_ payload: TransactionPayload, signed: String) {
        self.payload = payload
        self.signed = signed
    }
}

// What a transaction says follows from what was signed.
extension VerifiedTransaction: Hashable {
    package static func == (first: VerifiedTransaction, second: VerifiedTransaction) -> Bool {
        first.signed == second.signed
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(signed) }
}

extension SessionProfile {
    /// A transaction of this app. Throws unless its signature is good.
    func verified(_ signed: String) throws -> VerifiedTransaction {
        let payload: TransactionPayload = try transactions.verify(signed).decode()
        guard payload.bundleId == bundle, payload.environment == WireEnvironment(content.environment) else {
            throw SigningError(.malformed, "the transaction is of another app or another environment")
        }
        return VerifiedTransaction(payload, signed: signed)
    }
}

/// Verifies transactions of this app, each text once, and remembers the newest of them.
///
/// One transaction is asked about at several places: when the store tells of it, when its receipts are got, and each time its row
/// of the journal is read. The first of them verifies its signature.
///
/// The journal is a file that other programs of the same user can write to, so nothing that is read from it is believed for
/// having been there. What is remembered is found by a digest of the whole text that was signed: a row that was changed, or that
/// nobody has verified in this process, is verified like one that comes from the store. Nothing outlives the process. A session has one
/// profile, whose roots decide what is believed as long as it lives; the next launch verifies what waits for the app by the
/// roots of its own profile, so a root that was taken out counts from then on.
package final class TransactionVerifier: Sendable {
    /// How many are remembered at least: a long history, which an app reads from its beginning again and again.
    static let remembered = 10_000

    private struct Memory {
        var newer: [[UInt8]: TransactionPayload] = [:]
        var older: [[UInt8]: TransactionPayload] = [:]

        mutating func find(_ digest: [UInt8]) -> TransactionPayload? {
            if let known = newer[digest] { return known }
            guard let known = older[digest] else { return nil }
            keep(known, digest)
            return known
        }

        mutating func keep(_ payload: TransactionPayload, _ digest: [UInt8]) {
            if newer.count >= TransactionVerifier.remembered {
                older = newer
                newer = [:]
            }
            newer[digest] = payload
        }
    }

    private let profile: SessionProfile
    private let observer: (@Sendable (String) -> Void)?
    private let memory = Mutex(Memory())

    /// - Parameter observer: gets each text whose signature is about to be verified.
    init(_ profile: SessionProfile, observer: (@Sendable (String) -> Void)? = nil) {
        self.profile = profile
        self.observer = observer
    }

    /// A transaction of this app. Throws unless its signature is good.
    func verified(_ signed: String) throws -> VerifiedTransaction {
        let digest = try DigestAlgorithm.sha256.digest(signed.utf8)
        // The answer to a payment and the events may bring a text at one time: the second one waits for the first.
        return try memory.withLock { memory in
            if let known = memory.find(digest) { return VerifiedTransaction(known, signed: signed) }
            observer?(signed)
            let transaction = try profile.verified(signed)
            memory.keep(transaction.payload, digest)
            return transaction
        }
    }
}

extension TransactionPayload {
    /// Whether one device of the customer gets it and no other: what is used up, and seasons.
    var isForOneDevice: Bool { type == .consumable || type == .nonRenewing }
}
