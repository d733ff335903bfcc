import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// The offers that a developer's server signs in the original form, over seven parts joined by U+2063.
@Suite struct PromotionalOfferTests {
    private let key: PrivateKey
    private let publicKey: PublicKey
    private let offer: PromotionalOffer

    init() throws {
        key = try GoldenKeys.p256.privateKey()
        publicKey = try key.publicKey
        offer = try PromotionalOffer(
            bundleID: "com.example.app", keyID: "2X9R4HXF34", productID: "com.example.pro", offerID: "winter",
            accountToken: "FD9B3E1A-8A5B-4D3A-B9A1-6F1F0C9D2E77",
            nonce: #require(UUID(uuidString: "1B4E28BA-2FA1-11D2-883F-0016D3CCA427")), timestamp: Fixture.now)
    }

    /// `printf 'com.example.app⁣2X9R4HXF34⁣com.example.pro⁣winter⁣fd9b3e1a-…⁣1b4e28ba-…⁣1767323045000'`, with U+2063
    /// between the parts, signed by `openssl dgst -sha256 -sign` with the golden P-256 key.
    private static let golden = """
        MEUCIEqE6XOcCTi6Bc58bLX/J/lnqyH7ZQIUDG4BCJKHx//dAiEAhIs+bZQE4tOKOg+Wx9y5AjUoZWX0vQ3n7gXB2ByreIY=
        """

    private func requireSignature(_ signature: String, _ offer: PromotionalOffer? = nil) throws {
        try (offer ?? self.offer).requireSignature(signature, by: publicKey)
    }

    @Test("What the openssl command signed is accepted") func whatOpensslCommand() {
        #expect(throws: Never.self) { try requireSignature(Self.golden) }
    }

    @Test("What is signed here is accepted") func whatSignedHere() throws {
        try requireSignature(offer.signature(by: key))
        var anonymous = offer
        anonymous.accountToken = ""
        try requireSignature(anonymous.signature(by: key), anonymous)
    }

    @Test("Every part counts") func everyPartCounts() throws {
        let changes: [(inout PromotionalOffer) -> Void] = [
            { $0.bundleID += "x" }, { $0.keyID += "x" }, { $0.productID += "x" }, { $0.offerID += "x" },
            { $0.accountToken += "x" }, { $0.accountToken = "" }, { $0.nonce = UUID() },
            { $0.timestamp.millisecondsSinceEpoch += 1 },
        ]
        for (index, change) in changes.enumerated() {
            var other = offer
            change(&other)
            expectRefusal(.invalidSignature, "\(index)") { try requireSignature(Self.golden, other) }
        }
    }

    @Test("Only P-256 keys sign and verify") func onlyP256() throws {
        for golden in [GoldenKeys.rsa, GoldenKeys.p384] {
            let other = try golden.privateKey()
            expectRefusal(.algorithmNotAllowed) { try offer.signature(by: other) }
            let signature = try Base64.encode(other.signature(for: offer.signedBytes))
            expectRefusal(.algorithmNotAllowed) { try offer.requireSignature(signature, by: other.publicKey) }
        }
    }

    @Test("A refusal names the likely mistake") func refusalNamesLikely() throws {
        func signed(_ parts: [String], by separator: String = PromotionalOffer.separator) throws -> String {
            try Base64.encode(key.signature(for: parts.joined(separator: separator).utf8))
        }
        func changed(_ index: Int, _ value: String) -> [String] {
            var parts = offer.parts
            parts[index] = value
            return parts
        }
        let der = try #require(Base64.decode(Self.golden))
        var raw = [UInt8](repeating: 0, count: 64)
        #expect(raw.withUnsafeMutableBytes { ECDSASignature.writeRaw(of: der, into: $0) })
        for (signature, words) in try [
            (signed(changed(5, offer.nonce.uuidString)), "upper case"), (signed(changed(4, "")), "without the account"),
            (signed(changed(6, "1767323045")), "seconds"), (signed(offer.parts, by: ""), "joined by nothing"),
            (signed(offer.parts, by: ","), "a comma"), (Base64.encode(raw), "it must be DER"),
            (Base64.encode(Array(Self.golden.utf8)), "twice"), (Base64.encode(der, .url), "Base64"),
            ("not Base64!", "not Base64"), (signed(["x"]), "does not match"),
        ] {
            let error = #expect(throws: SigningError.self) { try requireSignature(signature) }
            #expect(error?.code == .invalidSignature)
            #expect(error?.message.contains(words) == true, "\(words): \(error?.message ?? "")")
        }
    }

    @Test("Oversize signatures are refused unread") func oversizeSignaturesRefused() {
        let long = String(repeating: "A", count: PromotionalOffer.longestSignature + 4)
        expectRefusal(.tooLarge) { try requireSignature(long) }
        expectRefusal(.invalidSignature) { try requireSignature("") }
    }

    @Test("A damaged signature is refused", .mutationTimeLimit) func damagedSignatureRefused() throws {
        let other = try offer.signature(by: key)
        try requireSignature(other)
        for mutant in Mutants("Offer signatures", of: [Self.golden, other], rounds: 300) {
            #expect(reading(mutant) { try requireSignature(mutant.text) } == nil, "\(mutant)")
        }
    }
}
