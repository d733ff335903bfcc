import Foundation

/// Certificates made by `openssl`: an authority, and a server's for `localhost` and 127.0.0.1 under it.
struct Certificates {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try make("localhost", names: "DNS:localhost,IP:127.0.0.1")
        try make("other", names: "DNS:other.example")
    }

    /// The file of the authority that a server's certificate is under.
    func authority(_ name: String) -> String { folder.file("\(name)-ca.pem") }

    func certificate(_ name: String) -> String { folder.file("\(name).pem") }

    func key(_ name: String) -> String { folder.file("\(name).key") }

    /// The SHA-256 digest of the public key of a certificate, as `openssl` finds it.
    func pin(_ name: String) throws -> [UInt8] {
        let text = try Command.run(
            "sh", "-c",
            "openssl x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary"
                + " | base64", in: folder.path)
        return Array(Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? Data())
    }

    private func make(_ name: String, names: String) throws {
        try Command.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(name) authority", "-keyout", "\(name)-ca.key", "-out", "\(name)-ca.pem", in: folder.path)
        try Command.run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(names)", "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-CA", "\(name)-ca.pem", "-CAkey", "\(name)-ca.key", "-keyout", "\(name).key", "-out", "\(name).pem",
            in: folder.path)
    }
}
