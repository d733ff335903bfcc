import Foundation
import StoreModel
import StoreSigning

/// Is the certificate of the listeners good for a while?
struct TLSCheck {
    /// The file of the chain.
    let path: String
    let now: Instant

    func findings() -> [Finding] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), let certificate = Self.first(in: text)
        else {
            return [
                .problem(
                    "TLS certificate", "\(path) is no certificate in PEM", remedy: "give the chain as PEM, leaf first")
            ]
        }
        let day = certificate.notAfter.rfc3339.prefix(10)
        let remedy = "renew it, then send the store SIGHUP"
        if certificate.notAfter <= now {
            return [.problem("TLS certificate", "it ended on \(day)", remedy: remedy)]
        }
        if certificate.notBefore > now {
            let start = certificate.notBefore.rfc3339.prefix(10)
            return [.problem("TLS certificate", "it begins on \(start)", remedy: "check the clock, or wait")]
        }
        if certificate.notAfter <= now.adding(milliseconds: Self.noticeMilliseconds) {
            return [.warning("TLS certificate", "it ends on \(day)", remedy: remedy)]
        }
        return [.ok("TLS certificate", "it is good until \(day)")]
    }

    /// Certificates of today are renewed a month before their end, or shorter ones more often.
    private static let noticeMilliseconds: Int64 = 14 * 24 * 60 * 60 * 1000

    private static func first(in text: String) -> Certificate? {
        guard let start = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: start.upperBound..<text.endIndex),
            let der = Data(
                base64Encoded: String(text[start.upperBound..<end.lowerBound]), options: .ignoreUnknownCharacters)
        else { return nil }
        return try? Certificate(derRepresentation: Array(der))
    }
}
