import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

@testable import StoreKit

/// What the store signed is verified on the device, and each damage has its own error.
@Suite("Verifying what the store signed", .bounded)
struct SignedValueTests {
    typealias Fault = VerificationResult<StoreKit.Transaction>.VerificationError

    private let scene: SignedScene

    init() throws {
        scene = try SignedScene()
    }

    private func fault(
        _ change: (inout [String: any Sendable]) -> Void = { _ in }, app: String = "com.example.monkey",
        environment: StoreEnvironment = .sandbox, device: UUID? = SignedScene.device
    ) throws -> Fault? {
        var payload = try SignedScene.transaction()
        change(&payload)
        return fault(
            of: try scene.verifier(app: app, environment: environment, device: device).transaction(scene.sign(payload)))
    }

    private func fault(of result: VerificationResult<StoreKit.Transaction>) -> Fault? {
        if case .unverified(_, let error) = result { error } else { nil }
    }

    @Test("X1: What the store signed for this app on this device is verified")
    func good() throws {
        let verifier = try scene.verifier()
        let transaction = try verifier.transaction(scene.sign(SignedScene.transaction())).payloadValue
        #expect(transaction.id == 2_000_000_000_000_002)
        let renewal = try verifier.renewalInfo(scene.sign(SignedScene.renewal())).payloadValue
        #expect(renewal.currentProductID == "com.example.monkey.monthly")
        let download = try verifier.appTransaction(scene.sign(SignedScene.download())).payloadValue
        #expect(download.appVersion == "2.1")
    }

    @Test("X1: A payload that was changed has no signature of its own, and is handed out all the same")
    func changed() throws {
        var parts = try scene.sign(SignedScene.transaction()).split(separator: ".").map(String.init)
        let payload = String(decoding: try #require(Base64.decode(parts[1], .url)), as: UTF8.self)
        parts[1] = Base64.encode(payload.replacing("\"quantity\":1", with: "\"quantity\":9").utf8, .url)
        let result = try scene.verifier().transaction(parts.joined(separator: "."))
        #expect(fault(of: result) == .invalidSignature)
        #expect(result.unsafePayloadValue.purchasedQuantity == 9)
        #expect(throws: Fault.invalidSignature) { try result.payloadValue }
    }

    @Test("X1: Another store's chain, also one that carries our names, leads to no root of the profile")
    func foreign() throws {
        let stranger = try SignedScene()
        let result = try scene.verifier().transaction(stranger.sign(SignedScene.transaction()))
        #expect(fault(of: result) == .invalidCertificateChain)
    }

    @Test("X1: A chain of another length is no chain")
    func length() throws {
        var parts = try scene.sign(SignedScene.transaction()).split(separator: ".").map(String.init)
        let bytes = try #require(Base64.decode(parts[0], .url))
        var header = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let certificates = try #require(header["x5c"] as? [String])
        header["x5c"] = [certificates[0]]
        parts[0] = Base64.encode(try JSONSerialization.data(withJSONObject: header), .url)
        #expect(fault(of: try scene.verifier().transaction(parts.joined(separator: "."))) == .invalidCertificateChain)
        header["x5c"] = certificates
        header["alg"] = "HS256"
        parts[0] = Base64.encode(try JSONSerialization.data(withJSONObject: header), .url)
        #expect(fault(of: try scene.verifier().transaction(parts.joined(separator: "."))) == .invalidSignature)
    }

    @Test("X1: A date at which the certificates were not valid is outside the chain")
    func date() throws {
        #expect(try fault { $0["signedDate"] = 1 } == .invalidCertificateChain)
        #expect(try fault { $0["signedDate"] = 253_000_000_000_000 } == .invalidCertificateChain)
    }

    @Test("X1: A revoked certificate signs nothing")
    func revoked() throws {
        let verifier = try scene.verifier(revoking: scene.leafRevoked())
        #expect(fault(of: verifier.transaction(try scene.sign(SignedScene.transaction()))) == .revokedCertificate)
    }

    @Test("X1: What is of another app or environment lacks what this app must have")
    func others() throws {
        #expect(try fault(app: "com.example.other") == .missingRequiredProperties)
        #expect(try fault(environment: .production) == .missingRequiredProperties)
        #expect(try fault { $0["environment"] = "Xcode" } == .missingRequiredProperties)
    }

    @Test(
        "X1: Each member that every transaction has must be there",
        arguments: [
            "transactionId", "originalTransactionId", "productId", "bundleId", "purchaseDate", "originalPurchaseDate",
            "quantity", "type", "environment", "inAppOwnershipType", "signedDate",
        ])
    func missing(name: String) throws {
        #expect(try fault { $0[name] = nil } == .missingRequiredProperties)
    }

    @Test("X1: What was signed for another device, or for none, is not for this one")
    func devices() throws {
        #expect(try fault(device: UUID()) == .invalidDeviceVerification)
        #expect(try fault { $0["deviceVerification"] = nil } == .invalidDeviceVerification)
        #expect(try fault { $0["deviceVerificationNonce"] = nil } == .invalidDeviceVerification)
        #expect(
            try fault { $0["deviceVerificationNonce"] = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeef" }
                == .invalidDeviceVerification)
        #expect(try fault(device: nil) == nil)
    }

    @Test(
        "X1: What is no JWS, or no JSON, cannot be read", arguments: ["", "a", "a.b.c", "a.b", "....", "e30.e30.e30"])
    func unreadable(text: String) throws {
        let result = try scene.verifier().transaction(text)
        let faults: [Fault] = [.invalidEncoding, .missingRequiredProperties]
        #expect(fault(of: result).map { faults.contains($0) } == true)
        #expect(result.jwsRepresentation == text && result.unsafePayloadValue.id == 0)
        #expect(fault(of: try scene.verifier().transaction(scene.sign(text: "[1]"))) == .invalidEncoding)
        #expect(fault(of: try scene.verifier().transaction(scene.sign(text: "nothing"))) == .invalidEncoding)
    }

    @Test("X1: One kind of payload does not pass for another, though the store signed it")
    func kinds() throws {
        let verifier = try scene.verifier()
        let (transaction, renewal) = try (scene.sign(SignedScene.transaction()), scene.sign(SignedScene.renewal()))
        #expect(throws: Fault.missingRequiredProperties) { try verifier.transaction(renewal).payloadValue }
        #expect(throws: (any Error).self) { try verifier.renewalInfo(transaction).payloadValue }
        #expect(throws: (any Error).self) { try verifier.appTransaction(transaction).payloadValue }
        #expect(throws: (any Error).self) {
            try verifier.renewalInfo(scene.sign(SignedScene.download())).payloadValue
        }
    }

    @Test("P48: A test lets every verification fail with an error of its choice, and a broken signature stays broken")
    func simulated() throws {
        let faults: [VerificationResult<Any>.VerificationError] = [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding,
            .invalidSignature, .missingRequiredProperties,
        ]
        let jws = try scene.sign(SignedScene.transaction())
        for fault in faults {
            let result = try scene.verifier(failure: { fault }).transaction(jws)
            #expect(self.fault(of: result).map { "\($0)" } == "\(fault)")
        }
        let result = try scene.verifier(failure: { CancellationError() }).transaction(jws)
        #expect(fault(of: result) == nil)
    }

    @Test("X1: The parts of the JWS are at hand, and its signature in both forms")
    func parts() throws {
        let jws = try scene.sign(SignedScene.transaction())
        let result = try scene.verifier().transaction(jws)
        let parts = jws.split(separator: ".")
        #expect(result.jwsRepresentation == jws)
        #expect(result.signedData == Data("\(parts[0]).\(parts[1])".utf8))
        #expect(result.headerData == Base64.decode(parts[0], .url).map { Data($0) })
        #expect(result.payloadData == result.unsafePayloadValue.jsonRepresentation)
        #expect(result.signatureData.count == 64 && result.signature.rawRepresentation == result.signatureData)
        #expect(result.signature.derRepresentation.first == 0x30)
        #expect(result.signedDate == SignedScene.now.date)
        #expect(result.deviceVerification.count == 48)
        #expect(result.deviceVerificationNonce.uuidString.lowercased() == SignedScene.nonce)
        let again = try P256.Signing.ECDSASignature(rawRepresentation: result.signatureData)
        #expect(again == result.signature)
        #expect(throws: (any Error).self) { try P256.Signing.ECDSASignature(rawRepresentation: Data([1])) }
    }

    @Test("X1: A damaged text is not verified, or says what the genuine one says, and never traps")
    func mutations() throws {
        let genuine = try scene.sign(SignedScene.transaction())
        let verifier = try scene.verifier()
        let payload = try verifier.transaction(genuine).payloadValue.jsonRepresentation
        for mutant in Mutants("signed values", of: [genuine], rounds: 300) {
            guard case .verified(let value) = verifier.transaction(mutant.text) else { continue }
            #expect(value.jsonRepresentation == payload, "\(mutant)")
        }
    }

    @Test("X1: A payload of any damage is read as something, and never traps")
    func damagedPayloads() throws {
        let payloads = try [SignedScene.transaction(), SignedScene.renewal(), SignedScene.download()].map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
        }
        for mutant in Mutants("payloads of values", of: payloads, rounds: 1000) {
            let text = "e30." + Base64.encode(mutant.bytes, .url) + ".AA"
            let transaction = StoreKit.Transaction(signed: text)
            #expect(transaction.jsonRepresentation == Data(mutant.bytes), "\(mutant)")
            _ = (
                transaction.currency, SubscriptionRenewalInfo(signed: text).currency, AppTransaction(signed: text).appID
            )
        }
    }
}
