import Foundation

/// A folder with what the servers of a row serve and prove themselves with; it goes with its owner.
final class ServerFiles {
    static let fileBytes = 100_000_000

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes the large file and answers its path.
    func makeFile() throws -> String {
        let url = folder.appendingPathComponent("file.bin")
        let piece = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        for _ in 0..<(Self.fileBytes / piece.count) { try file.write(contentsOf: piece) }
        try file.close()
        return url.path
    }

    /// Makes a certificate of the kind that most servers have: P-256, signed by itself.
    func makeIdentity() throws -> ServerIdentity {
        let identity = ServerIdentity(
            certificate: folder.appendingPathComponent("certificate.pem").path,
            key: folder.appendingPathComponent("key.pem").path)
        _ = try ChildProcess.output(
            of: "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj", "/CN=localhost", "-keyout", identity.key, "-out", identity.certificate,
            ])
        return identity
    }
}

/// The files of a certificate and its key.
struct ServerIdentity {
    let certificate: String
    let key: String
}
