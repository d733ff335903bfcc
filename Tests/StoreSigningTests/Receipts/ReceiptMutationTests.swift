import StoreModel
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct ReceiptMutationTests {
    @Test("A damaged receipt is refused or says what the genuine one says (R4.3)", .mutationTimeLimit)
    func damagedReceiptRefused() throws {
        let chain = try ReceiptChain()
        var other = SampleReceipts.plain("com.example.other")
        other.purchases = [SampleReceipts.purchase("p", 1), SampleReceipts.purchase("q", 2)]
        let receipts = try [SampleReceipts.full(), other]
        var attributed = try chain.forge(receipts[1].encoded)
        try attributed.signers[0].signAttributes(of: attributed.payload)
        let genuine = try [chain.forge(receipts[0].encoded).encoded(), attributed.encoded()]
        let verifier = try chain.verifier()
        let expected = try genuine.map { try verifier.verify($0).receipt }
        #expect(expected[0] == receipts[0] && expected[1].bundleID == other.bundleID)
        for mutant in Mutants("Receipts", of: genuine, rounds: 3000) {
            guard let verified = reading(mutant, { try verifier.verify(mutant.bytes) }) else { continue }
            #expect(expected.contains(verified.receipt), "\(mutant)")
        }
    }

    @Test("A damaged BER receipt is refused or says what the genuine one says", .mutationTimeLimit)
    func damagedBERReceipt() throws {
        let chain = try ReceiptChain()
        let genuine = try chain.forge(SampleReceipts.full().encoded).encodedOpen(pieces: 3)
        let verifier = try chain.verifier()
        let expected = try verifier.verify(genuine).receipt
        for mutant in Mutants("BER receipts", of: [genuine], rounds: 2000) {
            guard let verified = reading(mutant, { try verifier.verify(mutant.bytes) }) else { continue }
            #expect(verified.receipt == expected, "\(mutant)")
        }
    }

    @Test("A damaged payload is refused or read, and what was read can be written", .mutationTimeLimit)
    func damagedPayloadRefused() throws {
        let xcode = try Array(SignedContainer(#require(Base64.decode(GoldenReceipts.xcode))).content)
        let payloads = try [SampleReceipts.full().encoded, xcode, DER.octetString(SampleReceipts.plain().encoded)]
        for payload in payloads { _ = try AppReceipt(decoding: payload) }
        for mutant in Mutants("Receipt payloads", of: payloads, rounds: 4000) {
            guard let read = reading(mutant, { try AppReceipt(decoding: mutant.bytes) }) else { continue }
            let again = reading(mutant) { try AppReceipt(decoding: read.encoded) }
            #expect(again?.bundleID == read.bundleID, "\(mutant)")
            #expect(again?.purchases.count == read.purchases.count, "\(mutant)")
        }
    }

    @Test("A container of an Xcode receipt, damaged, never crashes the reader", .mutationTimeLimit)
    func containerXcodeReceipt() throws {
        let genuine = try #require(Base64.decode(GoldenReceipts.xcode))
        #expect(try SignedContainer(genuine).signers.count == 1)
        for mutant in Mutants("Xcode receipts", of: [genuine], rounds: 3000) {
            guard let container = reading(mutant, { try SignedContainer(mutant.bytes) }) else { continue }
            #expect(container.signers.count <= SigningLimits.signersPerReceipt, "\(mutant)")
            #expect(container.certificateRanges.count <= SigningLimits.certificatesPerReceipt, "\(mutant)")
        }
    }
}
