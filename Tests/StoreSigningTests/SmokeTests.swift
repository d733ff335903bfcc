import Foundation
import StoreModel
import Testing

@testable import StoreSigning

@Suite struct SmokeTests {
    @Test func `Signs and verifies`() throws {
        let now = try Instant(rfc3339: "2026-01-02T03:04:05Z")
        let jwsKey = try ChainAuthority(environment: .sandbox, purpose: .jws, organization: "Test").issueChain(at: now)
        let jws = try JWSSigner(jwsKey).sign(Array(#"{"signedDate":1767323045000,"a":1}"#.utf8), at: now)
        let verifier = try JWSVerifier(roots: [jwsKey.chain.root])
        #expect(try verifier.verify(jws).signedAt == now)
        #expect(try verifier.verify(jws).signedAt == now)
        let receiptKey = try ChainAuthority(environment: .sandbox, purpose: .receipt, organization: "Test").issueChain(
            at: now)
        var receipt = try AppReceipt(
            type: .sandbox, bundleID: "com.example.app", applicationVersion: "1", creationDate: now,
            opaqueValue: RandomBytes()(16), deviceHash: RandomBytes()(20))
        receipt.purchases = [
            PurchaseReceipt(
                productID: "p", transactionID: "2000000000000001", originalTransactionID: "2000000000000001",
                purchaseDate: now, originalPurchaseDate: now)
        ]
        let bytes = try ReceiptSigner(receiptKey).sign(receipt)
        try Data(bytes).write(to: URL(fileURLWithPath: "/tmp/r.der"))
        try receiptKey.chain.root.pemRepresentation.write(toFile: "/tmp/root.pem", atomically: true, encoding: .utf8)
        let rv = try ReceiptVerifier(roots: [receiptKey.chain.root])
        #expect(try rv.verify(bytes).receipt == receipt)
        print(jws)
    }
}
