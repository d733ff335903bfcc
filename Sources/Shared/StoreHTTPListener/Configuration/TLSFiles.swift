import Foundation

/// The certificate chain and the key of a listener, as files in PEM.
package struct TLSFiles: Hashable, Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// TLS 1.2 and newer, with forward secrecy.
    static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-128-CBC:-AES-256-CBC"

    func read() throws(ListenerError) -> (certificate: String, key: String) {
        (try Self.text(certificate), try Self.text(key))
    }

    private static func text(_ path: String) throws(ListenerError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ListenerError(
                .identityUnreadable, "\(path) cannot be read; it must be a PEM file this user may read.")
        }
        return text
    }
}
