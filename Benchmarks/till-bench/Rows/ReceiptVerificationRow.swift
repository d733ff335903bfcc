import StoreSigning

struct ReceiptVerificationRow: BenchmarkRow {
    let name = "receipt-verification"
    let summary =
        "An app receipt with five purchases is taken apart, verified under a chain seen before, and read into values."
    let reference = "C: SHA-256 and RSA-2048 verify alone"

    func prepare() throws -> Contest {
        let samples = try SampleReceipts()
        let verifier = try ReceiptVerifier(roots: [samples.key.chain.root])
        let receipts = samples.receipts
        let parts = try receipts.map(ReceiptParts.init)
        let primitives = try RSAReference(publicKey: samples.key.chain.leaf.publicKey.derRepresentation)
        let ours = LoopContestant { index in
            _ = try verifier.verify(receipts[index % receipts.count])
        }
        let reference = LoopContestant { index in
            let part = parts[index % parts.count]
            try primitives.verify(part.content, signature: part.signature)
        }
        return Contest(ours: ours, reference: reference)
    }
}
