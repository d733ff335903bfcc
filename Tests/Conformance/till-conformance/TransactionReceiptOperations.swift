import Foundation
import StoreModel
import StoreSigning

/// Makes, verifies and reads transaction receipts of the iOS 6 form.
enum TransactionReceiptOperations {
    static var table: [String: Operation] {
        [
            "transaction-receipt.verifier": Operation(makeVerifier),
            "transaction-receipt.sign": Operation(sign),
            "transaction-receipt.verify": Operation(verify),
            "transaction-receipt.environment": Operation(environment),
        ]
    }

    private struct MakeVerifier: Decodable {
        let roots: [Data]
        let intermediates: [Data]
        let revoked: [Data]
    }

    private static func makeVerifier(_ request: MakeVerifier, in session: Session) throws -> MadeVerifier {
        let trust = Trust(roots: request.roots, revoked: request.revoked)
        let verifier = try TransactionReceiptVerifier(
            roots: trust.certificates,
            intermediates: request.intermediates.map { try Certificate(derRepresentation: Array($0)) },
            revocations: trust.revocations)
        return MadeVerifier(verifier: session.keep(verifier))
    }

    private struct Sign: Decodable {
        let authority: String
        let environment: StoreEnvironment
        let receipt: TransactionReceiptFields
    }

    private struct Signed: Encodable {
        let bytes: Data
    }

    private static func sign(_ request: Sign, in session: Session) throws -> Signed {
        let signer = try TransactionReceiptSigner(
            session.value(request.authority), environment: request.environment)
        return try Signed(bytes: Data(signer.sign(request.receipt.receipt)))
    }

    private struct Verify: Decodable {
        let verifier: String
        let bytes: Data
    }

    private struct Content: Encodable {
        let receipt: TransactionReceiptFields
    }

    private static func verify(_ request: Verify, in session: Session) throws -> Content {
        let verifier: TransactionReceiptVerifier = try session.value(request.verifier)
        return try Content(receipt: TransactionReceiptFields(verifier.verify(Array(request.bytes))))
    }

    private struct Claim: Decodable {
        let bytes: Data
    }

    private struct Claimed: Encodable {
        let environment: StoreEnvironment
    }

    private static func environment(_ request: Claim, in session: Session) throws -> Claimed {
        try Claimed(environment: TransactionReceiptVerifier.claimedEnvironment(of: Array(request.bytes)))
    }
}
