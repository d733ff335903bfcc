import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// `till receipt`
enum ReceiptCommand {
    static let command = Command<TillProgram.Action>(
        "receipt", "Look into receipts.",
        examples: [Example("What is in one", "till receipt lint receipt.txt")],
        seeAlso: ["till keys root"], subcommands: [lint])

    private static let file = Argument<String>.required(
        .file(), help: "The receipt, in DER or as Base64, or as the property list of iOS 6; - reads standard input.")
    private static let root = Option<String?>.optional(
        "root", .file(), help: "Trust this root, in PEM or DER, instead of those of the store.")
    private static let device = Option<UUID?>.optional(
        "device", ValueFormat("UUID", rule: "a UUID", parse: { UUID(uuidString: $0) }),
        help: "Compare the device hash with this identifier.")

    private static let lint = Command<TillProgram.Action>(
        "lint", "Say what is in a receipt, whether it is genuine, and what is unusual about it.",
        discussion: """
            Signature and chain are judged by the roots of the store in the data directory, or by --root. Nothing but the \
            receipt is asked: whether its purchases were revoked since, verifyReceipt knows. A receipt in the form of iOS 6 \
            can be judged by the store that made it only.
            """,
        options: [DataOptions.data, root, device, StandardOptions.json], arguments: [file],
        examples: [
            Example("What an app sent to its server", "till receipt lint receipt.txt"),
            Example(
                "With the root only, and for a device",
                "till receipt lint --root root.pem --device 6d3a3c5e-52a7-4c53-9b5e-94b7cc4dcb0e receipt.der"),
            Example("Its products, for a script", "till receipt lint --json - < receipt.txt | jq '.attributes'"),
        ],
        exitCodes: [
            .badData.when("It is no receipt, not genuine, not for the device, or over; the errors say which."),
            .inputMissing.when("The file or the root cannot be read, or there is no root to judge by."),
            .configuration.when("The key store is damaged."),
        ],
        seeAlso: ["till keys root"], action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let read = try InputFile.read(arguments[file], limit: VerifyReceiptLimits.bodyBytes)
        let authorities = try authorities(arguments)
        let bytes: [UInt8]
        let examination: ReceiptExamination
        do {
            bytes = try ReceiptText.bytes(ofFile: read)
            examination = try ReceiptExamination(
                bytes, trusting: authorities,
                device: arguments[device].map { id in withUnsafeBytes(of: id.uuid) { Array($0) } },
                at: context.now)
        } catch let refusal as ReceiptRefusal {
            throw CommandFailure(.badData, refusal.reason)
        } catch let error as SigningError {
            throw CommandFailure(.badData, error.message)
        }
        let report = ReceiptReport(examination, bytes: bytes.count, isJudged: !authorities.isEmpty)
        if arguments[StandardOptions.json] {
            try context.printJSON(report)
        } else {
            for line in report.lines { context.print(line) }
        }
        guard examination.isGood else { throw CommandFailure(.badData, "the receipt is not good") }
        guard !authorities.isEmpty else {
            throw CommandFailure(
                .inputMissing,
                "there is no root to judge the receipt by; name one with --root, or the store with --data")
        }
    }

    private static func authorities(_ arguments: ParsedArguments) throws -> [ReceiptExamination.Authority] {
        if let path = arguments[root] {
            let certificate = try certificate(path)
            return [try .init(nil, roots: [certificate], intermediates: [], revocations: Revocations())]
        }
        return try ReceiptExamination.Authority.all(of: KeysOptions.store(arguments))
    }

    /// A certificate from a file, in PEM or DER.
    static func certificate(_ path: String) throws -> Certificate {
        let bytes = try InputFile.read(path, limit: 1 << 20)
        do {
            return bytes.first == UInt8(ascii: "-")
                ? try Certificate(pemRepresentation: String(decoding: bytes, as: UTF8.self))
                : try Certificate(derRepresentation: bytes)
        } catch {
            throw CommandFailure(.inputMissing, "\(path) is no certificate, neither in PEM nor in DER")
        }
    }
}

extension ReceiptExamination.Authority {
    /// Those of the environments that a store has keys of.
    static func all(of store: KeyStore) throws -> [ReceiptExamination.Authority] {
        try StoreEnvironment.allCases.compactMap { environment in
            do {
                return try .init(environment, store)
            } catch let error as SigningError where error.code == .keyStoreMissing {
                return nil
            }
        }
    }

    /// The certificates with which an environment of a store signs receipts, and has signed them. No private key is
    /// read.
    init(_ environment: StoreEnvironment, _ store: KeyStore) throws {
        let keyring = try store.keyring(environment)
        func all(_ role: CertificateRole) throws -> [Certificate] {
            try keyring.entries.filter { $0.purpose == .receipt && $0.role == role && $0.revokedAt == nil }.map {
                try store.certificate($0, of: environment)
            }
        }
        let revoked = keyring.entries.filter { $0.revokedAt != nil }
        try self.init(
            environment, roots: all(.root), intermediates: all(.intermediate),
            revocations: Revocations(fingerprints: revoked.compactMap { Hexadecimal.decode($0.fingerprint) }))
    }
}

/// The result of `till receipt lint`, for programs.
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
    /// Whether signature and chain are valid; nil without a root.
    let isGenuine: Bool?
    /// The environment of this store that signed it.
    let signedBy: StoreEnvironment?
    let fitsDevice: Bool?
    let attributes: [Attribute]
    let certificates: [Certificate]
    let findings: [Finding]
    /// The attributes as text.
    private let contents: [String]

    private enum CodingKeys: CodingKey {
        case form, bytes, isGenuine, signedBy, fitsDevice, attributes, certificates, findings
    }

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
        contents = examination.lines
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

    /// The same as text.
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
        lines += contents.map { "  " + text($0) }
        return lines + findings.map { "\($0.isError ? "error" : "note"): \(text($0.message))" }
    }

    private func text(_ text: String) -> String { PrintableText(text, limit: 400).description }
}
