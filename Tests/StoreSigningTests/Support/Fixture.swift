import StoreModel
import Synchronization

@testable import StoreSigning

/// Authorities that many tests share, because making RSA keys takes long.
enum Fixture {
    /// 2026-01-02T03:04:05Z, the moment at which tests sign.
    static let now = Instant(millisecondsSinceEpoch: 1_767_323_045_000)

    /// 2000-01-01 to 2101-01-01, as all certificates of a sandbox have it.
    static let sandboxValidity =
        Instant(millisecondsSinceEpoch: 946_684_800_000)..<Instant(millisecondsSinceEpoch: 4_133_980_800_000)

    /// Root, intermediate and leaf with all their keys.
    struct Authority: Sendable {
        let root: IssuedCertificate
        let intermediate: IssuedCertificate
        let leaf: IssuedCertificate

        var certifiedKey: CertifiedKey {
            CertifiedKey(
                key: leaf.key,
                chain: CertificateChain(
                    leaf: leaf.certificate, intermediate: intermediate.certificate, root: root.certificate))
        }
    }

    /// The one authority of a purpose and an environment.
    static func authority(_ purpose: ChainPurpose, _ environment: StoreEnvironment = .sandbox) throws -> Authority {
        try authorities.withLock { authorities in
            let name = "\(environment.rawValue) \(purpose.rawValue)"
            if let known = authorities[name] { return known }
            let made = try makeAuthority(purpose, environment)
            authorities[name] = made
            return made
        }
    }

    static func chain(_ purpose: ChainPurpose, _ environment: StoreEnvironment = .sandbox) throws -> CertifiedKey {
        try authority(purpose, environment).certifiedKey
    }

    /// An authority of its own; cheap for `jws`, slow for `receipt`.
    static func makeAuthority(
        _ purpose: ChainPurpose, _ environment: StoreEnvironment = .sandbox
    ) throws -> Authority {
        let authority = ChainAuthority(environment: environment, purpose: purpose, organization: "Corner Shop")
        let root = try authority.issueRoot(at: now)
        let intermediate = try authority.issueIntermediate(under: root, at: now)
        return try Authority(
            root: root, intermediate: intermediate, leaf: authority.issueLeaf(under: intermediate, at: now))
    }

    private static let authorities = Mutex<[String: Authority]>([:])
}
