import TestSupport
import Testing

@testable import StoreSigning

@Suite struct ReceiptContentsTests {
    @Test("Every attribute is told in its order, also of a receipt that nobody signed for (P14)")
    func everyAttributeTold() throws {
        let receipt = try SampleReceipts.full()
        let chain = try ReceiptChain()
        var forged = try chain.forge(receipt.encoded)
        try forged.signers[0].signAttributes(of: forged.payload)
        let contents = try ReceiptContents(forged.encoded())
        func value(_ name: String) -> ReceiptContents.Value? {
            contents.attributes.first { ReceiptContents.name(ofAttribute: $0.type) == name }?.value
        }
        #expect(value("bundle id") == .text(receipt.bundleID))
        #expect(value("opaque value") == .bytes(receipt.opaqueValue))
        #expect(value("device hash") == .bytes(receipt.deviceHash))
        #expect(value("app id") == .integer(receipt.appID))
        let purchases = contents.attributes.compactMap { attribute -> [ReceiptContents.Attribute]? in
            if case .purchase(let parts) = attribute.value { parts } else { nil }
        }
        #expect(purchases.count == receipt.purchases.count)
        for (parts, purchase) in zip(purchases, receipt.purchases) {
            #expect(parts.contains { $0.type == 1703 && $0.value == .text(purchase.transactionID) })
        }
        #expect(!contents.certificates.isEmpty)
    }

    @Test("A damaged receipt is told as far as it can be, or refused", .mutationTimeLimit) func damagedReceiptTold()
        throws
    {
        let chain = try ReceiptChain()
        let xcode = try #require(Base64.decode(GoldenReceipts.xcode))
        let genuine = try [chain.forge(SampleReceipts.full().encoded).encoded(), xcode]
        for mutant in Mutants("Contents of receipts", of: genuine, rounds: 1500) {
            guard let contents = reading(mutant, { try ReceiptContents(mutant.bytes) }) else { continue }
            #expect(contents.attributes.count <= SigningLimits.attributesPerSet, "\(mutant)")
            #expect(contents.certificates.count <= SigningLimits.certificatesPerReceipt, "\(mutant)")
        }
    }
}
