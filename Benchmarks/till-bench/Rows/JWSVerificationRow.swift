import StoreSigning

struct JWSVerificationRow: BenchmarkRow {
    let name = "jws-verification"
    let summary = "A signed transaction is verified, date included, under a chain seen before; on one thread."
    let reference = "openssl speed ecdsap256, verify"

    func prepare() throws -> Contest {
        let samples = try SampleTransactions()
        let verifier = try JWSVerifier(roots: [samples.key.chain.root])
        let transactions = try samples.signed()
        let ours = LoopContestant { index in
            _ = try verifier.verify(transactions[index % transactions.count])
        }
        return Contest(ours: ours, reference: OpenSSLSpeed(.verifying))
    }
}
