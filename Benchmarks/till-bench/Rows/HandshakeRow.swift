struct HandshakeRow: BenchmarkRow {
    let name = "http-tls-handshake"
    let summary = "New connections of TLS with a P-256 certificate, none resumed, from four clients at once."
    let reference = "nginx, with OpenSSL"

    func prepare() throws -> Contest {
        let files = try ServerFiles()
        let identity = try files.makeIdentity()
        return Contest(
            ours: HandshakeContestant(try ServerProcess(["--tls", identity.certificate, identity.key])),
            reference: HandshakeContestant(try ServerProcess(nginxIn: files, identity: identity)))
    }
}
