import Foundation
import StoreModel
import StoreSigning

/// Makes, verifies and reads app receipts.
enum ReceiptOperations {
    static var table: [String: Operation] {
        [
            "receipt.verifier": Operation(makeVerifier),
            "receipt.sign": Operation(sign),
            "receipt.verify": Operation(verify),
            "receipt.read": Operation(read),
            "receipt.device-hash": Operation(deviceHash),
            "receipt.belongs": Operation(belongs),
        ]
    }

    private static func makeVerifier(_ trust: Trust, in session: Session) throws -> MadeVerifier {
        let verifier = try ReceiptVerifier(roots: trust.certificates, revocations: trust.revocations)
        return MadeVerifier(verifier: session.keep(verifier))
    }

    private struct Sign: Decodable {
        let authority: String
        let receipt: ReceiptFields
    }

    private struct Signed: Encodable {
        let bytes: Data
    }

    private static func sign(_ request: Sign, in session: Session) throws -> Signed {
        let signer = try ReceiptSigner(session.value(request.authority))
        return try Signed(bytes: Data(signer.sign(request.receipt.receipt)))
    }

    private struct Verify: Decodable {
        let verifier: String
        let bytes: Data
    }

    private struct Content: Encodable {
        let receipt: ReceiptFields
    }

    private static func verify(_ request: Verify, in session: Session) throws -> Content {
        let verifier: ReceiptVerifier = try session.value(request.verifier)
        return try Content(receipt: ReceiptFields(verifier.verify(Array(request.bytes)).receipt))
    }

    private struct Read: Decodable {
        let payload: Data
    }

    /// Reads a payload without asking who signed it.
    private static func read(_ request: Read, in session: Session) throws -> Content {
        try Content(receipt: ReceiptFields(AppReceipt(decoding: Array(request.payload))))
    }

    private struct DeviceHashRequest: Decodable {
        let device: Data
        let opaqueValue: Data
        let bundleID: String
    }

    private struct DeviceHashAnswer: Encodable {
        let deviceHash: Data
    }

    private static func deviceHash(_ request: DeviceHashRequest, in session: Session) throws -> DeviceHashAnswer {
        let hash = try DeviceHash.compute(
            identifier: Array(request.device), opaqueValue: Array(request.opaqueValue), bundleID: request.bundleID)
        return DeviceHashAnswer(deviceHash: Data(hash))
    }

    private struct Belongs: Decodable {
        let receipt: ReceiptFields
        let device: Data
    }

    private struct BelongsAnswer: Encodable {
        let belongs: Bool
    }

    private static func belongs(_ request: Belongs, in session: Session) throws -> BelongsAnswer {
        try BelongsAnswer(belongs: request.receipt.receipt.belongs(toDevice: Array(request.device)))
    }
}
