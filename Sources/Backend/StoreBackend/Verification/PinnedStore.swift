public import StoreModel
import StoreSigning

/// An environment of a store whose signatures are trusted, with its certificates.
public struct PinnedStore: Hashable, Sendable {
    /// The environment.
    public var environment: StoreEnvironment
    /// The root certificates, each in DER or PEM; one file of PEM may hold several.
    public var roots: [[UInt8]]
    /// The certificates between the roots and those that sign receipts, which the receipts of single transactions leave
    /// out.
    ///
    /// Give them only if no other environment has them too: such a receipt says nothing signed of its environment,
    /// which is known by the certificates alone. Those of the App Store are common to both of its environments.
    public var intermediates: [[UInt8]]

    /// Makes one from its certificates.
    public init(_ environment: StoreEnvironment, roots: [[UInt8]], intermediates: [[UInt8]] = []) {
        self.environment = environment
        self.roots = roots
        self.intermediates = intermediates
    }

    /// Throws ``BackendError`` if one of the certificates cannot be used.
    package func check() throws { _ = try PinnedSignatures([self]) }
}

/// The signatures of some stores, of which any may have signed.
struct PinnedSignatures: Sendable {
    /// The environments that have their certificates in common.
    private struct Group: Sendable {
        let environments: Set<StoreEnvironment>
        let signedData: JWSVerifier
        let receipts: ReceiptVerifier
        let transactionReceipts: TransactionReceiptVerifier?
    }

    private let groups: [Group]
    /// All environments.
    let environments: Set<StoreEnvironment>

    init(_ stores: [PinnedStore]) throws {
        guard !stores.isEmpty else {
            throw BackendError(.invalidValue, "There is no store whose signatures are trusted.", parameter: "roots")
        }
        environments = Set(stores.map(\.environment))
        groups = try Dictionary(grouping: stores, by: { Set($0.roots) }).map { _, stores in
            let roots = try stores[0].roots.flatMap(Self.certificates)
            guard !roots.isEmpty else {
                throw BackendError(.invalidValue, "A store without a root certificate.", parameter: "roots")
            }
            let environments = Set(stores.map(\.environment))
            let intermediates = try stores.flatMap(\.intermediates).flatMap(Self.certificates)
            guard intermediates.isEmpty || environments.count == 1 else {
                throw BackendError(
                    .invalidValue,
                    "Two environments have one root: which of them the receipt of a transaction is of is not known.",
                    parameter: "intermediates")
            }
            return Group(
                environments: environments, signedData: try JWSVerifier(roots: roots),
                receipts: try ReceiptVerifier(roots: roots),
                transactionReceipts: intermediates.isEmpty
                    ? nil : try TransactionReceiptVerifier(roots: roots, intermediates: intermediates))
        }
    }

    /// The certificates in a file of PEM or DER.
    private static func certificates(_ file: [UInt8]) throws -> [Certificate] {
        do {
            guard file.first != derSequence else { return [try Certificate(derRepresentation: file)] }
            let mark = "-----BEGIN CERTIFICATE-----"
            let parts = String(decoding: file, as: UTF8.self).split(separator: mark, omittingEmptySubsequences: false)
            guard parts.count > 1 else { throw SigningError(.malformed, "neither PEM nor DER") }
            return try parts.dropFirst().map { try Certificate(pemRepresentation: mark + $0) }
        } catch {
            throw BackendError(.invalidValue, "A certificate cannot be read: \(error).", parameter: "roots")
        }
    }

    private static let derSequence: UInt8 = 0x30
    private static let signedData = "signed data"

    /// The content of signed data, and the environments under whose certificates it was signed.
    ///
    /// - Parameter claimed: the environment that it names, whose certificates are tried first.
    func verify(
        signedData text: String, claimed: WireEnvironment?
    ) throws -> (content: VerifiedJWS, environments: Set<StoreEnvironment>) {
        try first(Self.signedData, claimed) { try $0.signedData.verify(text) }
    }

    /// An app receipt, and the environments under whose certificates it was signed.
    func verify(
        receipt: [UInt8], claimed: WireEnvironment?
    ) throws -> (content: AppReceipt, environments: Set<StoreEnvironment>) {
        try first("receipt", claimed) { try $0.receipts.verify(receipt).receipt }
    }

    /// The receipt of a transaction, and the environments under whose certificates it was signed.
    func verify(
        transactionReceipt receipt: [UInt8]
    ) throws -> (content: TransactionReceipt, environments: Set<StoreEnvironment>) {
        let able = groups.filter { $0.transactionReceipts != nil }
        guard !able.isEmpty else {
            throw BackendError(
                .untrustedProof,
                "The receipt of one transaction does not hold the certificates between it and a root: "
                    + "ask the store, or give these certificates.")
        }
        let verify = { (group: Group) in try group.transactionReceipts?.verify(receipt) }
        let (content, _) = try first("receipt of a transaction", nil, verify)
        // It does not say which environment it is of, so everyone who could have signed it counts.
        let signers = able.filter { (try? verify($0)) != nil }
        return (content, signers.reduce(into: []) { $0.formUnion($1.environments) })
    }

    /// What the first group accepts; those of the environment that was claimed are asked first.
    private func first<Content>(
        _ what: String, _ claimed: WireEnvironment?, _ verify: (Group) throws -> Content?
    ) throws -> (content: Content, environments: Set<StoreEnvironment>) {
        func isClaimed(_ group: Group) -> Bool { claimed?.environment.map(group.environments.contains) ?? true }
        var failure: SigningError?
        for group in groups.filter(isClaimed) + groups.filter({ !isClaimed($0) }) {
            do throws(SigningError) {
                if let content = try Self.typed({ try verify(group) }) { return (content, group.environments) }
            } catch {
                // What is said of a signature under a trusted root is more than that another root was not the right
                // one.
                if failure == nil || failure?.code == .untrustedChain { failure = error }
            }
        }
        throw refusal(of: what, failure ?? SigningError(.untrustedChain, "no store is trusted for it"))
    }

    private static func typed<Content>(_ body: () throws -> Content) throws(SigningError) -> Content {
        do {
            return try body()
        } catch let error as SigningError {
            throw error
        } catch {
            throw SigningError(.malformed, "it cannot be read")
        }
    }

    private func refusal(of what: String, _ error: SigningError) -> BackendError {
        switch error.code {
        case .malformed: return BackendError(.malformedProof, "The \(what) cannot be read: \(error).")
        case .tooLarge: return BackendError(.proofTooLarge, "The \(what) is too large: \(error).")
        case .untrustedChain:
            // Whoever has the root of signed data alone would look for a forger.
            let hint = what == Self.signedData ? "" : " Receipts may have a root of their own, as those of Till have."
            return BackendError(
                .untrustedProof, "The \(what) is not signed under a root of \(environments.names): \(error).\(hint)")
        default: return BackendError(.untrustedProof, "The \(what) is not genuine: \(error).")
        }
    }
}

extension Set<StoreEnvironment> {
    /// Their names on the wire, production first.
    var names: String {
        StoreEnvironment.allCases.filter(contains).map { WireEnvironment($0).rawValue }.joined(separator: " or ")
    }
}
