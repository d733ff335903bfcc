import StoreSigning

struct ReceiptVerificationByCMSRow: BenchmarkRow {
    let name = "receipt-verification-cms"
    let summary = "The same as receipt-verification, against what C programs usually do with a receipt."
    let reference = "C: d2i_CMS_bio and CMS_verify"

    func prepare() throws -> Contest {
        let samples = try SampleReceipts()
        let verifier = try ReceiptVerifier(roots: [samples.key.chain.root])
        let receipts = samples.receipts
        let cms = try CMSReference(root: samples.key.chain.root.derRepresentation)
        let ours = LoopContestant { index in
            _ = try verifier.verify(receipts[index % receipts.count])
        }
        let reference = LoopContestant { index in
            try cms.verify(receipts[index % receipts.count])
        }
        return Contest(ours: ours, reference: reference)
    }
}
