import CommandOptions
import StoreModel
import StoreService
import StoreSigning

/// What `till receipt lint` found, for programs.
struct ReceiptReport: Encodable {
    struct Attribute: Encodable {
        var number: Int64?
        var version: Int64?
        let name: String?
        var value: String?
        var purchase: [Attribute]?
    }

    struct Certificate: Encodable {
        let subject: String
        let issuer: String
        let serialNumber: String
        let notBefore: String
        let notAfter: String
    }

    struct Finding: Encodable {
        let isError: Bool
        let message: String
    }

    /// `app`, or `transaction` for the form of iOS 6.
    let form: String
    let bytes: Int
    /// Whether signature and chain are good; nil where no root was at hand.
    let isGenuine: Bool?
    /// The environment of this store that signed it.
    let signedBy: StoreEnvironment?
    let fitsDevice: Bool?
    let attributes: [Attribute]
    let certificates: [Certificate]
    let findings: [Finding]

    init(_ examination: ReceiptExamination, bytes: Int, isJudged: Bool) {
        form = examination.isAppReceipt ? "app" : "transaction"
        self.bytes = bytes
        isGenuine = isJudged ? examination.authority != nil : nil
        signedBy = examination.authority?.environment
        fitsDevice = examination.fitsDevice
        attributes =
            examination.attributes.map(Self.attribute)
            + examination.entries.map { Attribute(name: $0.key, value: $0.value) }
        certificates = examination.certificates.map {
            Certificate(
                subject: $0.subject, issuer: $0.issuer, serialNumber: $0.serialNumber,
                notBefore: $0.notBefore.rfc3339, notAfter: $0.notAfter.rfc3339)
        }
        findings = examination.findings.map { Finding(isError: $0.isError, message: $0.message) }
    }

    private static func attribute(_ attribute: ReceiptContents.Attribute) -> Attribute {
        var told = Attribute(
            number: attribute.type, version: attribute.version,
            name: ReceiptContents.name(ofAttribute: attribute.type))
        switch attribute.value {
        case .integer(let number): told.value = String(number)
        case .text(let text): told.value = text
        case .bytes(let bytes): told.value = Hexadecimal.encode(bytes)
        case .purchase(let parts): told.purchase = parts.map(Self.attribute)
        }
        return told
    }
}

extension ReceiptReport {
    /// The same for people.
    var lines: [String] {
        var lines = ["\(form == "app" ? "App receipt" : "Transaction receipt (iOS 6)"), \(bytes) bytes"]
        let signer = signedBy.map { " by the \($0.rawValue) of this store" } ?? ""
        switch isGenuine {
        case true?: lines.append("  signature and chain: good, signed\(signer)")
        case false?: lines.append("  signature and chain: NOT GOOD")
        case nil: lines.append("  signature and chain: not judged, there is no root to judge them by")
        }
        if let fitsDevice { lines.append("  device: \(fitsDevice ? "fits" : "DOES NOT FIT")") }
        for certificate in certificates {
            lines.append(
                "  certificate: \(text(certificate.subject)), \(certificate.notBefore.prefix(10)) to "
                    + "\(certificate.notAfter.prefix(10))")
        }
        lines += attributes.flatMap { self.lines($0, indent: "  ") }
        return lines + findings.map { "\($0.isError ? "error" : "note"): \(text($0.message))" }
    }

    private func lines(_ attribute: Attribute, indent: String) -> [String] {
        let number = attribute.number.map { "\($0)  " } ?? ""
        let value = attribute.value.map { ": " + text($0) } ?? ""
        return ["\(indent)\(number)\(text(attribute.name ?? "unknown"))\(value)"]
            + (attribute.purchase ?? []).flatMap { lines($0, indent: indent + "    ") }
    }

    private func text(_ text: String) -> String { PrintableText(text, limit: 400).description }
}
