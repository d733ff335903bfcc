import Foundation
import StoreBackend
import StoreModel
import StoreSigning
import Testing

/// The page `VerifyPurchases.md`.
@Suite struct VerificationPageTests {
    private static let tests = URL(filePath: #filePath + "/../..").standardizedFileURL

    private static func page() throws -> String {
        try String(contentsOf: tests.appending(path: "../../Documentation/VerifyPurchases.md"), encoding: .utf8)
    }

    @Test func `R5.2: it prints the program that this test runs`() async throws {
        let program = Self.tests.appending(path: "Verification/PurchaseCheck.swift")
        #expect(try Self.page().contains(String(contentsOf: program, encoding: .utf8)))
        let check = try PurchaseCheck(trusting: [SampleProofs.pinned(.sandbox)], about: SampleProofs.bundleID())
        let receipt = Base64.encode(try SampleProofs.receipt().bytes)
        let products = try await check.products(paidBy: Array(receipt.utf8), at: SampleProofs.now)
        // The other purchase of the receipt was taken back.
        #expect(products.map(\.text) == ["com.example.monkey.coins"])
    }

    @Test func `its table of limits has what the code has`() throws {
        let (store, verdicts) = (StoreLimits(), RememberedVerdicts.Limits())
        let limits: [(String, Int)] = [
            ("ProofOfPayment.longestText", ProofOfPayment.longestText),
            ("ProofOfPayment.largestAppReceipt", ProofOfPayment.largestAppReceipt),
            ("ProofOfPayment.largestTransactionReceipt", ProofOfPayment.largestTransactionReceipt),
            ("ProofOfPayment.largestSignedTransaction", ProofOfPayment.largestSignedTransaction),
            ("StoreLimits.attemptTime", Self.seconds(store.attemptTime)),
            ("StoreLimits.connectTime", Self.seconds(store.connectTime)),
            ("StoreLimits.attempts", store.attempts), ("StoreLimits.longestWait", Self.seconds(store.longestWait)),
            ("StoreLimits.retryBudget", store.retryBudget), ("StoreLimits.answerBytes", store.answerBytes),
            ("StoreVerifier.mostRefunds", StoreVerifier.mostRefunds),
            ("RememberedVerdicts.Limits.atOnce", verdicts.atOnce),
            ("RememberedVerdicts.Limits.waiting", verdicts.waiting),
            ("RememberedVerdicts.Limits.perMinute", verdicts.perMinute),
            ("RememberedVerdicts.Limits.goodFor", Self.seconds(verdicts.goodFor)),
            ("RememberedVerdicts.Limits.refusedFor", Self.seconds(verdicts.refusedFor)),
            ("RememberedVerdicts.Limits.outageFor", Self.seconds(verdicts.outageFor)),
            ("RememberedVerdicts.Limits.proofs", verdicts.proofs),
            ("RememberedVerdicts.Limits.transactions", verdicts.transactions),
        ]
        var shown: [String: Int] = [:]
        for line in try Self.page().split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[1].hasPrefix("`"), cells[1].contains(".") else { continue }
            shown[cells[1].trimmingCharacters(in: ["`"])] = Int(cells[2].filter(\.isNumber))
        }
        #expect(shown == Dictionary(uniqueKeysWithValues: limits))
    }

    private static func seconds(_ duration: Duration) -> Int { Int(duration.components.seconds) }
}
