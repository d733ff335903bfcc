import Foundation
import StoreModel
import StoreSigning

/// Makes the chains that everything else is signed under.
enum AuthorityOperations {
    static var table: [String: Operation] {
        [
            "authority.make": Operation(make),
            "authority.assemble": Operation(assemble),
        ]
    }

    private struct Answer: Encodable {
        let authority: String
        let leaf: Data
        let intermediate: Data
        let root: Data
        /// PKCS#8 in PEM, so that a caller can sign what the store itself would refuse to.
        let leafKey: String

        init(_ key: CertifiedKey, in session: Session) throws {
            authority = session.keep(key)
            leaf = Data(key.chain.leaf.derRepresentation)
            intermediate = Data(key.chain.intermediate.derRepresentation)
            root = Data(key.chain.root.derRepresentation)
            leafKey = try key.key.pemRepresentation()
        }
    }

    private struct Make: Decodable {
        let environment: StoreEnvironment
        let purpose: ChainPurpose
        let organization: String
        let issuedAt: Instant
    }

    /// A chain exactly as a store issues it.
    private static func make(_ request: Make, in session: Session) throws -> Answer {
        let authority = ChainAuthority(
            environment: request.environment, purpose: request.purpose, organization: request.organization)
        return try Answer(authority.issueChain(at: request.issuedAt), in: session)
    }

    private struct Assemble: Decodable {
        struct Part: Decodable {
            let notBefore: Instant
            let notAfter: Instant
            /// Object identifiers of the marker extensions.
            let markers: [String]
        }
        let purpose: ChainPurpose
        let root: Part
        let intermediate: Part
        let leaf: Part
    }

    /// A chain with any validity and any markers, also with those that no verifier may accept.
    private static func assemble(_ request: Assemble, in session: Session) throws -> Answer {
        let rootKey = try request.purpose.makeKey()
        let intermediateKey = try request.purpose.makeKey()
        let leafKey = try request.purpose.makeKey()
        let root = try CertificateIssuer.selfSigned(description(of: request.root, .root), key: rootKey)
        let intermediate = try CertificateIssuer(certificate: root, key: rootKey)
            .issue(description(of: request.intermediate, .intermediate), for: intermediateKey)
        let leaf = try CertificateIssuer(certificate: intermediate, key: intermediateKey)
            .issue(description(of: request.leaf, .leaf), for: leafKey)
        let chain = CertificateChain(leaf: leaf, intermediate: intermediate, root: root)
        return try Answer(CertifiedKey(key: leafKey, chain: chain), in: session)
    }

    private static func description(of part: Assemble.Part, _ role: CertificateRole) -> CertificateRequest {
        CertificateRequest(
            role: role, commonName: "Assembled \(role.rawValue)", organization: "Conformance",
            validity: part.notBefore..<part.notAfter, markers: part.markers.map(MarkerExtension.init))
    }
}
