import Foundation
import StoreModel
import StoreSigning

/// Signs and verifies JSON under a chain.
enum SignedDataOperations {
    static var table: [String: Operation] {
        [
            "jws.verifier": Operation(makeVerifier),
            "jws.sign": Operation(sign),
            "jws.verify": Operation(verify),
        ]
    }

    private static func makeVerifier(_ trust: Trust, in session: Session) throws -> MadeVerifier {
        let verifier = try JWSVerifier(roots: trust.certificates, revocations: trust.revocations)
        return MadeVerifier(verifier: session.keep(verifier))
    }

    private struct Sign: Decodable {
        let authority: String
        let payload: Data
        let at: Instant
    }

    private struct Signed: Encodable {
        let jws: String
    }

    private static func sign(_ request: Sign, in session: Session) throws -> Signed {
        let signer = try JWSSigner(session.value(request.authority))
        return try Signed(jws: signer.sign(request.payload, at: request.at))
    }

    private struct Verify: Decodable {
        let verifier: String
        let jws: String
    }

    private struct Verified: Encodable {
        let payload: Data
        let signedAt: Instant
        let leafSerialNumber: String
    }

    private static func verify(_ request: Verify, in session: Session) throws -> Verified {
        let verifier: JWSVerifier = try session.value(request.verifier)
        let verified = try verifier.verify(request.jws)
        return Verified(
            payload: Data(verified.payload), signedAt: verified.signedAt,
            leafSerialNumber: verified.chain.chain.leaf.serialNumber)
    }
}
