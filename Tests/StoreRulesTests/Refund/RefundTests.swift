import TestSupport
import Testing

@testable import StoreRules

@Suite struct RefundTests {
    @Test("A refund books the money back, revokes if it is to, and hears no second word", arguments: [true, false])
    func refunded(_ revokes: Bool) {
        var refund = Refund(revokes: revokes)
        #expect(refund.handle(.refunded(reference: "r1")) == (revokes ? [.book, .revoke] : [.book]))
        #expect(refund.state == .refunded)
        #expect(refund.reference == "r1")
        let before = refund
        #expect(refund.handle(.refused(code: "late")).isEmpty)
        #expect(refund == before)
    }

    @Test("A refund that is refused leaves its amount to others")
    func refused() {
        var refund = Refund(revokes: true)
        #expect(refund.handle(.refused(code: "refund_failed")) == [.release])
        #expect(refund.state == .failed)
        #expect(refund.failure == "refund_failed")
        let before = refund
        #expect(refund.handle(.refunded(reference: "late")).isEmpty)
        #expect(refund == before)
    }

    @Test("X7: A refund that was given is reversed once, and one that was not never", arguments: [true, false])
    func reversed(_ revokes: Bool) {
        var refund = Refund(revokes: revokes)
        #expect(refund.handle(.reversed).isEmpty)
        _ = refund.handle(.refunded(reference: "r1"))
        #expect(
            refund.handle(.reversed) == (revokes ? [.bookReversal, .release, .reinstate] : [.bookReversal, .release]))
        #expect(refund.state == .reversed)
        #expect(refund.handle(.reversed).isEmpty)
    }

    @Test("Parts of a refund are shared as the sale was, to the last unit")
    func shares() {
        // A sale of 199, of which the store keeps 60.
        let sale: [Int64] = [199, -60, -139]
        let first = RefundShare.postings(of: sale, earlier: [0, 0, 0], giving: 100)
        #expect(first == [-100, 30, 70])
        #expect(RefundShare.postings(of: sale, earlier: first, giving: 99) == [-99, 30, 69])
        #expect(RefundShare.postings(of: sale, earlier: [0, 0, 0], giving: 199) == [-199, 60, 139])
    }

    @Test(
        "However a sale is cut into refunds, each sums to zero, none takes more than there is, and all take everything")
    func anyCut() {
        var random = RandomizedRun.generator(named: "refund shares")
        for _ in 0..<RandomizedRun.cases(2000) {
            let total = Int64(random.next() % 100_000) + 1
            let commission = Int64(random.next() % UInt64(total + 1))
            let sale = [total, -commission, commission - total]
            var given: [Int64] = [0, 0, 0]
            while given[0] > -total {
                let left = total + given[0]
                let amount = Int64(random.next() % UInt64(left)) + 1
                let part = RefundShare.postings(of: sale, earlier: given, giving: amount)
                #expect(part[0] == -amount)
                #expect(part.reduce(0, +) == 0)
                given = zip(given, part).map { $0 + $1 }
                #expect(zip(sale, given).allSatisfy { abs($1) <= abs($0) && $0.signum() * $1.signum() <= 0 })
            }
            #expect(given == sale.map { -$0 })
        }
    }
}
