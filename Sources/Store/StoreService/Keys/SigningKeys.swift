import StoreModel
package import StoreSigning
import Synchronization

/// What signs and verifies in one environment, prepared once.
package struct EnvironmentSigners: Sendable {
    /// What signs, or why it must not.
    private let signers: Result<Signers, SigningError>
    package let jwsVerifier: JWSVerifier
    /// Under one of which every JWS of the environment is signed.
    package let jwsRoots: [Certificate]
    /// What answers whether its certificates still count.
    package let statusResponder: StatusResponder
    /// By whom receipts of the environment are told from others.
    let authority: ReceiptExamination.Authority
    /// Until when each of the certificates is valid under which it signs.
    let ends: [(purpose: ChainPurpose, role: CertificateRole, at: Instant)]

    private struct Signers {
        let jws: JWSSigner
        let receipt: ReceiptSigner
        let transactionReceipt: TransactionReceiptSigner
    }

    package init(_ keys: EnvironmentKeys) throws {
        ends = keys.current.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { purpose, key in
            zip([.leaf, .intermediate, .root], key.chain.certificates).map { (purpose, $0, $1.notAfter) }
        }
        authority = try ReceiptExamination.Authority(keys)
        jwsVerifier = try keys.jwsVerifier()
        jwsRoots = keys.roots[.jws] ?? []
        statusResponder = try keys.statusResponder()
        do {
            signers = .success(
                Signers(
                    jws: try keys.jwsSigner(), receipt: try keys.receiptSigner(),
                    transactionReceipt: try keys.transactionReceiptSigner()))
        } catch let error as SigningError where error.code == .signerRevoked {
            signers = .failure(error)
        }
    }

    /// Throws where a certificate under which it would sign was revoked.
    package func requireUsable() throws { _ = try signers.get() }

    package var jws: JWSSigner { get throws { try signers.get().jws } }
    package var receipt: ReceiptSigner { get throws { try signers.get().receipt } }
    package var transactionReceipt: TransactionReceiptSigner { get throws { try signers.get().transactionReceipt } }
}

/// The signers of an environment that is at work, whose place others take without a new start.
final class SigningKeys: Sendable {
    private let content: Mutex<EnvironmentSigners>

    init(_ signers: EnvironmentSigners) { content = Mutex(signers) }

    var signers: EnvironmentSigners { content.withLock { $0 } }

    func take(_ signers: EnvironmentSigners) { content.withLock { $0 = signers } }
}
