import Foundation
import StoreModel
import StoreSigning

struct AppleLibraryRow: BenchmarkRow {
    let name = "apple-library-verification"
    let summary =
        "Signed transactions are verified and decoded, on a thread for each core; neither side asks the network."
    let reference = "Apple's Python library"

    private struct Input: Encodable {
        let root: String
        let bundleID: String
        let transactions: [String]
    }

    func prepare() throws -> Contest {
        let samples = try SampleTransactions()
        let root = samples.key.chain.root
        let verifier = try JWSVerifier(roots: [root])
        let transactions = try samples.signed()
        let ours = AllCoresContestant { index in
            _ = try verifier.verify(transactions[index % transactions.count]).decode(TransactionPayload.self)
        }
        let input = Input(
            root: Data(root.derRepresentation).base64EncodedString(), bundleID: SampleTransactions.bundleID,
            transactions: transactions)
        return try Contest(ours: ours, reference: PythonReference(script: "apple_verification", input: input))
    }
}
