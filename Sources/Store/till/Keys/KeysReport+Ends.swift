import StoreModel
import StoreSigning

extension KeysReport {
    /// A certificate in use that ends, and what to do about it.
    struct End {
        let certificate: Certificate
        let isOver: Bool
        let remedy: String

        var day: String { String(certificate.notAfter.prefix(10)) }
    }

    /// The certificates in use that have ended, or will within two months.
    func ends(at now: Instant) -> [End] {
        certificates.filter { $0.state == .inUse }.compactMap { certificate in
            guard let end = try? Instant(rfc3339: certificate.notAfter),
                end <= now.adding(milliseconds: Self.noticeMilliseconds)
            else { return nil }
            let command = "till keys rotate --environment \(environment.rawValue) --from \(certificate.role.rawValue)"
            return End(certificate: certificate, isOver: end <= now, remedy: "replace it with: \(command)")
        }
    }

    /// How long before its end a certificate is mentioned.
    private static let noticeMilliseconds: Int64 = 60 * 24 * 60 * 60 * 1000
}
