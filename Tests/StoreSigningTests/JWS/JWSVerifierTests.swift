import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// What a verifier accepts and refuses when the chain itself is as it should be.
@Suite struct JWSVerifierTests {
    private let chain: CertifiedKey
    private let verifier: JWSVerifier
    private let jws: String

    init() throws {
        chain = try Fixture.chain(.jws)
        verifier = try JWSVerifier(roots: [chain.chain.root])
        jws = try JWSForge(chain).sign()
    }

    private func segments(_ jws: String) -> [String] {
        jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Accepted

    @Test("What a store signs is verified, byte for byte", arguments: StoreEnvironment.allCases)
    func whatStoreSigns(environment: StoreEnvironment) throws {
        let chain = try Fixture.chain(.jws, environment)
        let payload = #"{"signedDate":1767323045000,"name":"Grüße 🛒","n":1.50,"slash":"a/b"}"#
        let jws = try JWSSigner(chain).sign(Array(payload.utf8), at: Fixture.now)
        let verified = try JWSVerifier(roots: [chain.chain.root]).verify(jws)
        #expect(verified.payload == Array(payload.utf8))
        #expect(verified.signedAt == Fixture.now)
        #expect(try verified.chain.chain.leaf.fingerprint == chain.chain.leaf.fingerprint)
        #expect(try verified.decode([String: AnyDecodable].self).count == 4)
    }

    @Test("An app's own transaction is judged by the date of its receipt") func appSOwn() throws {
        let jws = try JWSForge(chain).sign(#"{"receiptCreationDate":1767323045000}"#)
        #expect(try verifier.verify(jws).signedAt == Fixture.now)
        let both = try JWSForge(chain).sign(#"{"receiptCreationDate":1,"signedDate":1767323045000}"#)
        #expect(try verifier.verify(both).signedAt == Fixture.now)
    }

    @Test("The example of RFC 7515 verifies") func exampleRFC7515() throws {
        // Appendix A.3: ES256 with the public key's coordinates x and y.
        let jws = """
            eyJhbGciOiJFUzI1NiJ9\
            .eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ\
            .DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
            """
        let coordinates = try [
            "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ]
        .flatMap { try #require(Base64.decode($0, .url)) }
        let key = try PublicKey(
            derRepresentation: bytes(hex: "3059301306072a8648ce3d020106082a8648ce3d03010703420004") + coordinates)
        try Array(jws.utf8).withUnsafeBytes { bytes in
            let compact = try CompactJWS(bytes)
            try compact.requireSignature(of: key, beginning: compact.hashedBeginning())
            #expect(try compact.decodedHeader().alg == "ES256")
            #expect(try compact.decodedPayload().starts(with: Array(#"{"iss":"joe","#.utf8)))
        }
    }

    // MARK: Tampering

    @Test("No character of header, payload or signature can be another") func noCharacterHeader() throws {
        let original = Array(jws.utf8)
        _ = try verifier.verify(jws)
        let header = segments(jws)[0].utf8.count
        for position in original.indices {
            // Every ninth character of the long header, and all of the rest.
            if position < header - 20, position % 9 != 0 { continue }
            for replacement in "A_.= " where UInt8(ascii: replacement.unicodeScalars.first ?? "A") != original[position]
            {
                var tampered = original
                tampered[position] = UInt8(ascii: replacement.unicodeScalars.first ?? "A")
                #expect(throws: SigningError.self, "\(replacement) at \(position)") {
                    try verifier.verify(String(decoding: tampered, as: UTF8.self))
                }
            }
        }
    }

    @Test("Segments of two genuine JWS cannot be mixed") func segmentsTwoGenuine() throws {
        let other = try segments(JWSForge(chain).sign(#"{"signedDate":1767323045000,"productId":"gems"}"#))
        let own = segments(jws)
        expectRefusal(.invalidSignature) { try verifier.verify([own[0], other[1], own[2]].joined(separator: ".")) }
        expectRefusal(.invalidSignature) { try verifier.verify([own[0], own[1], other[2]].joined(separator: ".")) }
        let stranger = try Fixture.makeAuthority(.jws)
        let foreign = try segments(JWSForge(stranger.certifiedKey).sign())
        expectRefusal(.invalidSignature) { try verifier.verify([own[0], own[1], foreign[2]].joined(separator: ".")) }
        expectRefusal(.untrustedChain) { try verifier.verify([foreign[0], own[1], own[2]].joined(separator: ".")) }
    }

    @Test("A signature must be 64 bytes, and those of the key") func signatureMustBe() throws {
        let own = segments(jws)
        func verify(signature: [UInt8]) throws -> VerifiedJWS {
            try verifier.verify([own[0], own[1], Base64.encode(signature, .url)].joined(separator: "."))
        }
        let der = try chain.key.signature(for: "\(own[0]).\(own[1])".utf8)
        expectRefusal(.malformed) { try verify(signature: der) }
        expectRefusal(.malformed) { try verify(signature: []) }
        let raw = try #require(Base64.decode(own[2], .url))
        expectRefusal(.malformed) { try verify(signature: raw + [0]) }
        expectRefusal(.malformed) { try verify(signature: raw.dropLast()) }
        // Numbers that are no signature at all, for which some verifiers answered yes to everything.
        for byte: UInt8 in [0x00, 0x01, 0xFF] {
            expectRefusal(.invalidSignature) { try verify(signature: [UInt8](repeating: byte, count: 64)) }
        }
        #expect(throws: Never.self) { try verify(signature: raw) }
    }

    @Test(
        "Text that is not three segments of a signed header is refused",
        arguments: ["", ".", "..", "...", "a.b", "a.b.c.d", "....", "e30.e30.", ".e30.e30", "e30..e30"])
    func textNotThree(text: String) {
        expectRefusal(.malformed, text) { try verifier.verify(text) }
    }

    @Test("White space and padding around a genuine JWS make it another") func whiteSpacePadding() {
        for text in [" \(jws)", "\(jws) ", "\(jws)\n", "\(jws)=", jws.replacing(".", with: " .", maxReplacements: 1)] {
            expectRefusal(.malformed) { try verifier.verify(text) }
        }
    }

    // MARK: Payloads

    @Test(
        "A payload that does not say when it was signed is refused",
        arguments: [
            "", " ", "null", "1", "[]", #""text""#, "{}", #"{"signedDate":null}"#, #"{"signedDate":"2026-01-02"}"#,
            #"{"signedDate":1767323045000"#, #"{"signedDate":1e400}"#, #"{"signedDate":99999999999999999999}"#,
            #"{"productId":"coins"}"#, #"{"signedDate":{}}"#,
        ])
    func payloadDoesNot(payload: String) throws {
        let jws = try JWSForge(chain).sign(payload)
        expectRefusal(.malformed, payload) { try verifier.verify(jws) }
    }

    @Test("A payload that is not UTF-8 is refused") func payloadNotUTF() throws {
        let payload = Array(#"{"signedDate":1767323045000,"a":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        let jws = try JWSForge(chain).sign(payload)
        expectRefusal(.malformed) { try verifier.verify(jws) }
    }

    @Test("Deeply nested JSON is refused in header and payload, not followed") func deeplyNestedJSON() throws {
        let nested = String(repeating: "[", count: 80_000)
        let payload = try JWSForge(chain).sign(#"{"signedDate":1767323045000,"a":"# + nested)
        expectRefusal(.tooLarge) { try verifier.verify(payload) }
        let headerText = #"{"alg":"# + nested.prefix(20_000)
        let header = try JWSForge.sign(header: Array(headerText.utf8), payload: [], with: chain.key)
        expectRefusal(.malformed) { try verifier.verify(header) }
    }

    @Test("Size is limited, for the signer as for the verifier") func sizeLimitedSigner() throws {
        let signer = try JWSSigner(chain)
        let frame = try signer.sign(Array(#"{"signedDate":1767323045000,"pad":""}"#.utf8), at: Fixture.now).utf8.count
        // Three bytes of payload are four characters.
        let room = (SigningLimits.jwsBytes - frame) / 4 * 3
        func payload(_ padding: Int) -> [UInt8] {
            Array("{\"signedDate\":1767323045000,\"pad\":\"\(String(repeating: "x", count: padding))\"}".utf8)
        }
        let largest = try signer.sign(payload(room), at: Fixture.now)
        #expect(largest.utf8.count > SigningLimits.jwsBytes - 4)
        #expect(try verifier.verify(largest).payload == payload(room))
        expectRefusal(.tooLarge) { try signer.sign(payload(room + 3), at: Fixture.now) }
        let tooLarge = try JWSForge(chain).sign(payload(room + 3))
        expectRefusal(.tooLarge) { try verifier.verify(tooLarge) }
        expectRefusal(.tooLarge) { try verifier.verify(String(repeating: ".", count: 10_000_000)) }
    }

    // MARK: Time

    @Test("A JWS is judged at the moment it was signed, to the millisecond (P37)") func jwsJudgedAt() throws {
        let chain = try Fixture.chain(.jws, .production)
        let verifier = try JWSVerifier(roots: [chain.chain.root])
        let (first, last) = (
            chain.chain.leaf.notBefore.millisecondsSinceEpoch, chain.chain.leaf.notAfter.millisecondsSinceEpoch + 999
        )
        for inside in [first, last] {
            let jws = try JWSForge(chain).sign(#"{"signedDate":\#(inside)}"#)
            #expect(try verifier.verify(jws).signedAt == Instant(millisecondsSinceEpoch: inside))
        }
        // The same header, and so the chain that was just remembered.
        for outside in [first - 1, last + 1, 0, -1, Instant.latest.millisecondsSinceEpoch] {
            let jws = try JWSForge(chain).sign(#"{"signedDate":\#(outside)}"#)
            expectRefusal(.outsideValidity, "\(outside)") { try verifier.verify(jws) }
        }
    }
}

/// Any JSON value, only to see that it decodes.
private struct AnyDecodable: Decodable {
    init(from decoder: any Decoder) throws {}
}
