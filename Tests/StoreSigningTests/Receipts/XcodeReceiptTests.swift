import StoreModel
import Testing

@testable import StoreSigning

/// Receipts of Xcode's local store crash many parsers (P39). Ours reads them, and trusts them no more than others.
@Suite struct XcodeReceiptTests {
    private let bytes: [UInt8]
    private let container: SignedContainer

    init() throws {
        bytes = try #require(Base64.decode(GoldenReceipts.xcode))
        container = try SignedContainer(bytes)
    }

    @Test("Its payload is read") func test0() throws {
        let receipt = try AppReceipt(reading: container.payload)
        #expect(receipt.type.rawValue == "Xcode")
        #expect(receipt.bundleID == "com.example.naturelab.backyardbirds.example")
        #expect(receipt.applicationVersion == "1")
        #expect(receipt.creationDate.rfc3339 == "2023-10-19T01:45:40Z")
        #expect(receipt.expirationDate?.rfc3339 == "4001-01-01T00:00:00Z")
        #expect(receipt.opaqueValue.count == 8)
        #expect(receipt.deviceHash.count == 20)
        let purchase = try #require(receipt.purchases.first)
        #expect(receipt.purchases.count == 1)
        #expect(purchase.productID == "pass.premium")
        #expect(purchase.transactionID == "0")
        #expect(purchase.originalTransactionID == "0")
        #expect(purchase.purchaseDate.rfc3339 == "2023-10-19T01:45:36Z")
        #expect(purchase.expirationDate?.rfc3339 == "2023-11-19T01:45:36Z")
        #expect(purchase.isInIntroductoryPeriod == true)
        #expect(purchase.quantity == 1)
    }

    @Test("Its signature is Xcode's own") func signatureXcodeS() throws {
        let signer = try #require(container.signers.first)
        let range = try #require(container.certificateRanges.first)
        let certificate = try Certificate(derRepresentation: Array(container.certificates[range]))
        #expect(certificate.subject.contains("CN=StoreKit"))
        #expect(
            try certificate.publicKey.isValidSignature(
                signer.signature, for: container.content, digest: signer.digest))
    }

    @Test("It is not trusted, not even by who trusts its certificate") func notTrustedNot() throws {
        let root = try Fixture.chain(.receipt).chain.root
        let strict = try ReceiptVerifier(roots: [root])
        expectRefusal(.untrustedChain) { try strict.verify(bytes) }
        let range = try #require(container.certificateRanges.first)
        let own = try Certificate(derRepresentation: Array(container.certificates[range]))
        let gullible = try ReceiptVerifier(roots: [own])
        #expect(throws: SigningError.self) { try gullible.verify(bytes) }
    }

    @Test("Cut off anywhere, it is refused") func cutOffAnywhere() {
        for count in 0..<bytes.count {
            expectRefusal(.malformed, "\(count)") { try SignedContainer(Array(bytes.prefix(count))) }
        }
    }
}
