import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

/// Receipts of the iOS 6 form.
@Suite struct TransactionReceiptTests {
    private let authority: Fixture.Authority
    private let signer: TransactionReceiptSigner
    private let verifier: TransactionReceiptVerifier
    private let receipt: TransactionReceipt

    init() throws {
        authority = try Fixture.authority(.receipt)
        signer = try TransactionReceiptSigner(authority.certifiedKey, environment: .sandbox)
        verifier = try TransactionReceiptVerifier(
            roots: [authority.root.certificate], intermediates: [authority.intermediate.certificate])
        receipt = TransactionReceipt(
            quantity: 3, productID: "com.example.coins", transactionID: "2000000000000002",
            originalTransactionID: "2000000000000001", purchaseDate: Fixture.now.adding(milliseconds: 123),
            originalPurchaseDate: Fixture.now, itemID: "123456789", bundleID: "com.example.app",
            applicationVersion: "1.0 \"beta\"", uniqueIdentifier: String(repeating: "0a", count: 20),
            uniqueVendorIdentifier: "6F2D1E1C-4B7A-4C0E-9D33-A1B2C3D4E5F6")
    }

    private func full() throws -> TransactionReceipt {
        var receipt = receipt
        receipt.appItemID = "987"
        receipt.versionExternalIdentifier = "654"
        receipt.expirationDate = try Instant(rfc3339: "2026-02-02T03:04:05.250Z")
        receipt.webOrderLineItemID = "2000000000000003"
        receipt.isTrialPeriod = true
        receipt.otherEntries = ["in-app-ownership-type": "PURCHASED", "z": ""]
        return receipt
    }

    private func list(_ bytes: [UInt8]) throws -> PropertyListText { try PropertyListText(parsing: bytes) }

    private func replacing(_ key: String, _ value: String?, in bytes: [UInt8]) throws -> [UInt8] {
        let entries = try list(bytes).entries.compactMap { entry in
            entry.key == key ? value.map { (key: key, value: $0) } : entry
        }
        return Array(PropertyListText(entries).text.utf8)
    }

    @Test("Every field survives") func everyFieldSurvives() throws {
        for receipt in [receipt, try full()] { #expect(try verifier.verify(signer.sign(receipt)) == receipt) }
    }

    @Test("The outer entries are those of genuine receipts") func outerEntriesThose() throws {
        let sandbox = try list(signer.sign(receipt))
        #expect(sandbox.entries.map(\.key) == ["signature", "purchase-info", "environment", "pod", "signing-status"])
        #expect(sandbox["environment"] == "Sandbox")
        let production = try TransactionReceiptSigner(authority.certifiedKey, environment: .production).sign(receipt)
        #expect(try list(production).entries.map(\.key) == ["signature", "purchase-info", "pod", "signing-status"])
        #expect(try TransactionReceiptVerifier.claimedEnvironment(of: production) == .production)
        #expect(try TransactionReceiptVerifier.claimedEnvironment(of: signer.sign(receipt)) == .sandbox)
    }

    @Test("The signature is version, RSA over SHA-1, length and certificate") func signatureVersionRSA() throws {
        let outer = try list(signer.sign(receipt))
        let blob = try #require(outer["signature"].flatMap { Base64.decode($0) })
        let info = try #require(outer["purchase-info"].flatMap { Base64.decode($0) })
        let der = authority.leaf.certificate.derRepresentation
        #expect(blob[0] == 3)
        #expect(Array(blob[257..<261]) == [0, 0, UInt8(der.count >> 8), UInt8(der.count & 0xFF)])
        #expect(Array(blob[261...]) == der)
        #expect(
            try authority.leaf.certificate.publicKey.isValidSignature(blob[1..<257], for: [3] + info, digest: .sha1))
    }

    @Test("Whatever is signed cannot be changed (R4.3)") func whateverSignedCannot() throws {
        let bytes = try signer.sign(receipt)
        let other = try list(signer.sign(full()))
        expectRefusal(.invalidSignature) {
            try verifier.verify(replacing("purchase-info", other["purchase-info"], in: bytes))
        }
        expectRefusal(.invalidSignature) {
            try verifier.verify(replacing("signature", other["signature"], in: bytes))
        }
        #expect(throws: Never.self) { try verifier.verify(replacing("pod", "7", in: bytes)) }
    }

    @Test("Both halves are needed, in strict Base64", arguments: ["signature", "purchase-info"])
    func bothHalvesNeeded(key: String) throws {
        let bytes = try signer.sign(receipt)
        for value in [nil, "!", "AAA", "AA=\n"] {
            expectRefusal(.malformed) { try verifier.verify(replacing(key, value, in: bytes)) }
        }
    }

    @Test("Signatures of other versions and lengths are refused") func signaturesOtherVersions() throws {
        let blob = try #require(list(signer.sign(receipt))["signature"].flatMap { Base64.decode($0) })
        #expect(try TransactionReceiptSignature(decoding: blob).encoded == blob)
        for count in 0..<blob.count {
            expectRefusal(.malformed) { try TransactionReceiptSignature(decoding: Array(blob.prefix(count))) }
        }
        expectRefusal(.malformed) { try TransactionReceiptSignature(decoding: blob + [0]) }
        for version: UInt8 in [0, 1, 2, 4, 255] {
            expectRefusal(.malformed) { try TransactionReceiptSignature(decoding: [version] + blob.dropFirst()) }
        }
        let boundless = Array(blob[..<257]) + [0xFF, 0xFF, 0xFF, 0xFF] + Array(blob[261...])
        expectRefusal(.malformed) { try TransactionReceiptSignature(decoding: boundless) }
    }

    @Test(
        "An entry that every receipt has must be there",
        arguments: [
            "quantity", "product-id", "transaction-id", "original-transaction-id", "purchase-date-ms",
            "original-purchase-date-ms", "item-id", "bid", "bvrs", "unique-identifier",
        ])
    func entryEveryReceipt(key: String) throws {
        let entries = receipt.entries
        #expect(try TransactionReceipt(entries) == receipt)
        let without = PropertyListText(entries.entries.filter { $0.key != key })
        expectRefusal(.malformed) { try TransactionReceipt(without) }
        if key == "quantity" || key.hasSuffix("-ms") {
            let wrong = PropertyListText(entries.entries.map { $0.key == key ? ($0.key, "soon") : $0 })
            expectRefusal(.malformed) { try TransactionReceipt(wrong) }
        }
    }

    @Test("The chain must be trusted, complete and not revoked") func chainMustBe() throws {
        let bytes = try signer.sign(receipt)
        let (root, intermediate, leaf) = (
            authority.root.certificate, authority.intermediate.certificate, authority.leaf.certificate
        )
        let stranger = try CertificateForge.root().issue().certificate
        let untrusting = try TransactionReceiptVerifier(roots: [stranger], intermediates: [intermediate])
        expectRefusal(.untrustedChain) { try untrusting.verify(bytes) }
        let incomplete = try TransactionReceiptVerifier(roots: [root], intermediates: [])
        expectRefusal(.untrustedChain) { try incomplete.verify(bytes) }
        for certificate in [root, intermediate, leaf] {
            let informed = try TransactionReceiptVerifier(
                roots: [root], intermediates: [intermediate],
                revocations: Revocations(fingerprints: [certificate.fingerprint]))
            for _ in 0..<2 { expectRefusal(.revokedCertificate) { try informed.verify(bytes) } }
        }
    }

    @Test("Nothing bought after the end of its certificate is accepted") func nothingBoughtAfter() throws {
        var late = receipt
        late.purchaseDate = authority.leaf.certificate.notAfter.adding(milliseconds: 1)
        #expect(throws: SigningError.self) { try verifier.verify(signer.sign(late)) }
    }

    @Test("A damaged receipt is refused or says what the genuine one says (R4.3)", .mutationTimeLimit)
    func damagedReceiptRefused() throws {
        let receipts = try [receipt, full()]
        let genuine = try receipts.map { try signer.sign($0) }
        for (bytes, receipt) in zip(genuine, receipts) { #expect(try verifier.verify(bytes) == receipt) }
        for mutant in Mutants("Transaction receipts", of: genuine, rounds: 3000) {
            guard let read = reading(mutant, { try verifier.verify(mutant.bytes) }) else { continue }
            #expect(receipts.contains(read), "\(mutant)")
        }
    }

    @Test("A damaged purchase, signed again, is refused or read whole", .mutationTimeLimit) func damagedPurchaseSigned()
        throws
    {
        let text = try full().entries.text
        #expect(try TransactionReceipt(list(Array(text.utf8))) == full())
        for mutant in Mutants("Purchase info", of: [text], rounds: 2000) {
            guard let read = reading(mutant, { try TransactionReceipt(list(mutant.bytes)) }) else { continue }
            #expect(reading(mutant) { try TransactionReceipt(read.entries) } == read, "\(mutant)")
        }
    }

    @Test("What no verifier would read is not signed") func whatNoVerifier() throws {
        var late = receipt
        late.purchaseDate = authority.certifiedKey.chain.leaf.notAfter.adding(milliseconds: 1000)
        expectRefusal(.outsideValidity) { try signer.sign(late) }
        var talkative = receipt
        let named = receipt.entries.entries.count
        for number in 0..<(SigningLimits.propertyListKeys - named) { talkative.otherEntries["x-\(number)"] = "1" }
        #expect(try verifier.verify(signer.sign(talkative)).otherEntries.count == talkative.otherEntries.count)
        talkative.otherEntries["one-more"] = "1"
        expectRefusal(.tooLarge) { try signer.sign(talkative) }
        var long = receipt
        long.otherEntries["long"] = String(repeating: "x", count: SigningLimits.transactionReceiptBytes)
        expectRefusal(.tooLarge) { try signer.sign(long) }
    }
}
