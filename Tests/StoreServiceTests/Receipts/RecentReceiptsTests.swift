import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@testable import StoreService

@Suite("Receipts that were found genuine twice lately")
struct RecentReceiptsTests {
    private static let end: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    private func receipt(_ bundle: String = "com.example.monkey", purchases: Int = 0) -> AppReceipt {
        let date = Instant(millisecondsSinceEpoch: 1_800_900_000_000)
        var receipt = AppReceipt(
            type: ReceiptType(.sandbox), bundleID: bundle, applicationVersion: "1", creationDate: date,
            opaqueValue: [UInt8](repeating: 5, count: 16), deviceHash: [UInt8](repeating: 6, count: 20))
        receipt.purchases = (0..<purchases).map {
            PurchaseReceipt(
                productID: "coins", transactionID: "\($0)", originalTransactionID: "\($0)", purchaseDate: date,
                originalPurchaseDate: date)
        }
        return receipt
    }

    private struct Outcome: Equatable {
        var receipt: AppReceipt?
        var refusal: ReceiptRefusal?
    }

    private func outcome(_ judge: ReceiptJudge, _ bytes: [UInt8]) -> Outcome {
        do {
            guard case .app(let receipt) = try judge.judge(bytes) else { return Outcome() }
            return Outcome(receipt: receipt)
        } catch {
            return Outcome(refusal: error)
        }
    }

    @Test("R4.2: What was genuine is so again, and whoever changed a byte of it, whichever, is refused as before")
    func altered() throws {
        let judge = try ReceiptJudge(SampleKeys.of(.sandbox), other: SampleKeys.of(.production))
        let genuine = try SampleKeys.of(.sandbox).receiptSigner().sign(receipt(purchases: 2))
        for _ in 1...3 { #expect(outcome(judge, genuine) == Outcome(receipt: receipt(purchases: 2))) }
        let fresh = try ReceiptJudge(SampleKeys.of(.sandbox), other: SampleKeys.of(.production))
        var refused = 0
        for index in stride(from: 0, to: genuine.count, by: 7) {
            var altered = genuine
            altered[index] ^= 4
            // The certificate of the root is of no use in a receipt, and a few bytes say nothing that anybody reads.
            let outcome = outcome(judge, altered)
            #expect(outcome == self.outcome(fresh, altered), "byte \(index)")
            refused += outcome.refusal == nil ? 0 : 1
        }
        #expect(refused > genuine.count / 7 * 3 / 4)
        for shorter in [Array(genuine.dropFirst()), Array(genuine.dropLast()), genuine + [0], [0] + genuine] {
            #expect(throws: ReceiptRefusal.self) { try judge.judge(shorter) }
        }
    }

    @Test("A receipt of the other environment, of another store, or in the form of iOS 6 is never remembered")
    func others() throws {
        let judge = try ReceiptJudge(SampleKeys.of(.sandbox), other: SampleKeys.of(.production))
        var ofProduction = receipt()
        ofProduction.type = ReceiptType(.production)
        let there = try SampleKeys.of(.production).receiptSigner().sign(ofProduction)
        let foreign = try SampleKeys.ofAnotherStore(.sandbox).receiptSigner().sign(receipt())
        for _ in 1...2 {
            #expect(outcome(judge, foreign).refusal?.status == .notAuthentic)
            #expect(outcome(judge, there).refusal?.status == .fromProduction)
        }
    }

    @Test("Nothing but the very same bytes is found; of two that end alike the later is remembered")
    func sameEnd() {
        let recent = RecentReceipts()
        let (first, second) = ([0x30, 1] + Self.end, [0x30, 2] + Self.end)
        #expect(recent.receipt(of: first) == nil)
        recent.take(receipt("com.example.first"), of: first)
        #expect(recent.receipt(of: first)?.bundleID == "com.example.first")
        #expect(recent.receipt(of: second) == nil)
        recent.take(receipt("com.example.second"), of: second)
        #expect(recent.receipt(of: first) == nil)
        #expect(recent.receipt(of: second)?.bundleID == "com.example.second")
    }

    @Test("What nobody asks for is forgotten, what is asked for stays, and there is never more than the limit")
    func limit() {
        let recent = RecentReceipts()
        let size = 16 << 10
        func bytes(_ number: UInt64) -> [UInt8] {
            [UInt8](repeating: 0x30, count: size - 8) + withUnsafeBytes(of: number) { Array($0) }
        }
        let count = UInt64(ReceiptLimits.recentBytes / size)
        for number in 0..<3 * count {
            recent.take(receipt(), of: bytes(number))
            #expect(recent.receipt(of: bytes(0)) != nil)
        }
        let found = (0..<3 * count).filter { recent.receipt(of: bytes($0)) != nil }
        #expect(UInt64(found.count) <= count && UInt64(found.count) >= count / 4)
        #expect(found.first == 0 && found.last == 3 * count - 1)
    }

    @Test("What is too long or too short is not remembered")
    func length() {
        let recent = RecentReceipts()
        for count in [0, 7, ReceiptLimits.rememberedBytes + 1] {
            let bytes = [UInt8](repeating: 0x30, count: count)
            recent.take(receipt(), of: bytes)
            #expect(recent.receipt(of: bytes) == nil)
        }
        let longest = [UInt8](repeating: 0x30, count: ReceiptLimits.rememberedBytes)
        recent.take(receipt(), of: longest)
        #expect(recent.receipt(of: longest) != nil)
    }

    @Test("What comes once is not remembered; what comes again is, unless too many others came between")
    func again() {
        let recent = RecentReceipts()
        func bytes(_ number: Int) -> [UInt8] { [0x30] + withUnsafeBytes(of: UInt64(number)) { Array($0) } }
        for number in 1...ReceiptLimits.noticedReceipts { recent.remember(receipt(), of: bytes(number)) }
        for number in 1...ReceiptLimits.noticedReceipts { #expect(recent.receipt(of: bytes(number)) == nil) }
        recent.remember(receipt(), of: bytes(ReceiptLimits.noticedReceipts))
        #expect(recent.receipt(of: bytes(ReceiptLimits.noticedReceipts)) != nil)
        // This one takes the place of the first.
        recent.remember(receipt(), of: bytes(1 + ReceiptLimits.noticedReceipts))
        recent.remember(receipt(), of: bytes(1))
        #expect(recent.receipt(of: bytes(1)) == nil)
        recent.remember(receipt(), of: bytes(1))
        #expect(recent.receipt(of: bytes(1)) != nil)
        // Of more than are noticed, one after the other, none is ever remembered.
        let many = (1...ReceiptLimits.noticedReceipts + 1).map { bytes($0 * 10_000) }
        for bytes in many + many + many { recent.remember(receipt(), of: bytes) }
        #expect(many.allSatisfy { recent.receipt(of: $0) == nil })
    }
}

extension RecentReceipts {
    /// A receipt that comes twice.
    fileprivate func take(_ receipt: AppReceipt, of bytes: [UInt8]) {
        for _ in 1...2 { remember(receipt, of: bytes) }
    }
}
