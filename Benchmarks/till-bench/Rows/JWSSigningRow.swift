import StoreSigning

struct JWSSigningRow: BenchmarkRow {
    let name = "jws-signing"
    let summary = "The JSON of a transaction, about 1 KB, becomes a signed JWS, on one thread."
    let reference = "openssl speed ecdsap256, sign"

    func prepare() throws -> Contest {
        let samples = try SampleTransactions()
        let signer = try JWSSigner(samples.key)
        let texts = samples.texts
        let ours = LoopContestant { index in
            _ = try signer.sign(texts[index % texts.count], at: SampleTime.signing)
        }
        return Contest(ours: ours, reference: OpenSSLSpeed(.signing))
    }
}
