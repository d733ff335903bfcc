import StoreModel
import Testing

@testable import StoreSigning

@Suite struct ReceiptSignerTests {
    @Test("The container has the structure of a genuine receipt") func containerHasStructure() throws {
        let key = try Fixture.chain(.receipt)
        let bytes = try ReceiptSigner(key).sign(SampleReceipts.full())
        let container = try SignedContainer(bytes)
        let certificates = container.certificateRanges.map { Array(container.certificates[$0]) }
        #expect(certificates == key.chain.certificates.map(\.derRepresentation))
        let signer = try #require(container.signers.first)
        #expect(container.signers.count == 1)
        #expect(signer.digest == .sha256)
        #expect(signer.signedAttributes == nil)
        #expect(signer.signature.count == 256)
        #expect(try key.chain.leaf.publicKey.isValidSignature(signer.signature, for: container.content))
        // The same, built by other code.
        let authority = try Fixture.authority(.receipt)
        let forge = ReceiptForge(
            payload: Array(container.content), leaf: authority.leaf, others: [authority.intermediate, authority.root])
        #expect(try forge.encoded() == bytes)
    }

    @Test("Refuses to sign at a date at which verifiers would refuse it") func refusesSignAt() throws {
        let key = try Fixture.chain(.receipt, .production)
        let signer = try ReceiptSigner(key)
        var receipt = SampleReceipts.plain()
        for date in [key.chain.leaf.notBefore, key.chain.leaf.notAfter.adding(milliseconds: 999)] {
            receipt.creationDate = date
            let bytes = try signer.sign(receipt)
            #expect(throws: Never.self) { try ReceiptVerifier(roots: [key.chain.root]).verify(bytes) }
        }
        for date in [
            key.chain.leaf.notBefore.adding(milliseconds: -1), key.chain.leaf.notAfter.adding(milliseconds: 1000),
        ] {
            receipt.creationDate = date
            expectRefusal(.outsideValidity) { try signer.sign(receipt) }
        }
    }

    @Test("Only RSA keys sign receipts") func onlyRSAKeys() throws {
        let chain = try Fixture.chain(.receipt).chain
        let key = try GoldenKeys.p256.privateKey()
        expectRefusal(.algorithmNotAllowed) { try ReceiptSigner(CertifiedKey(key: key, chain: chain)) }
    }

    @Test("Many tasks sign and verify with one signer and one verifier") func manyTasksSign() async throws {
        let key = try Fixture.chain(.receipt)
        let signer = try ReceiptSigner(key)
        let verifier = try ReceiptVerifier(roots: [key.chain.root])
        let read = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    var receipt = SampleReceipts.plain("com.example.app\(number)")
                    receipt.purchases = [SampleReceipts.purchase("p", number)]
                    return try verifier.verify(signer.sign(receipt)).receipt == receipt
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(read == Array(repeating: true, count: 16))
    }
}
