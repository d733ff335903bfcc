import CommandOptions
import Foundation
import StoreModel
import StoreSigning

/// `till keys show`
enum KeysShow {
    static let all = Option<Bool>.flag("all", help: "Also the certificates that others have replaced.")

    static let command = Command<TillProgram.Action>(
        "show", "Show the certificates of a store: what they sign, until when, and where they are.",
        discussion: "No private key is shown, and no passphrase is needed.",
        options: [KeysOptions.environment, all, StandardOptions.json],
        examples: [
            Example("Show the certificates in use", "till keys show"),
            Example(
                "The end of every certificate, for a script",
                "till keys show --json | jq '.environments[].certificates[].notAfter'"),
        ],
        exitCodes: [
            .inputMissing.when("There are no keys."), .configuration.when("The key store is damaged."),
        ],
        seeAlso: ["till keys rotate", "till keys root"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let store = KeyStore(dataDirectory: try DataDirectory.ofStore(arguments).path)
        let reports = try KeysOptions.environments(arguments).map { try KeysReport(store, $0) }
        if arguments[StandardOptions.json] { return try context.printJSON(["environments": reports]) }
        for (index, report) in reports.enumerated() {
            if index > 0 { context.print("") }
            show(report, all: arguments[all], in: context)
        }
    }

    private static func show(_ report: KeysReport, all: Bool, in context: CommandContext) {
        let organization = PrintableText(report.organization)
        context.print("\(report.environment.rawValue.capitalized) keys of \(organization), in \(report.path)")
        context.print("  Private keys: \(report.protected ? "under a passphrase" : "without a passphrase")")
        for purpose in ChainPurpose.allCases {
            context.print(purpose == .jws ? "  Signed data (JWS)" : "  Receipts (PKCS#7)")
            for certificate in report.certificates where certificate.purpose == purpose {
                if certificate.state == .inUse || all { show(certificate, in: context) }
            }
        }
        for warning in warnings(report, at: context.now) { context.printError("till: \(warning)") }
    }

    private static func show(_ certificate: KeysReport.Certificate, in context: CommandContext) {
        let role = "\(certificate.role.rawValue) \(certificate.number)".padded(to: 16)
        let dates = "\(certificate.notBefore.prefix(10)) to \(certificate.notAfter.prefix(10))"
        let state =
            switch certificate.state {
            case .inUse: ""
            case .retired: "  retired"
            case .revoked: "  REVOKED"
            }
        let place = certificate.keyFile == nil ? "  key kept elsewhere" : ""
        let algorithm = certificate.algorithm.padded(to: 6)
        context.print("    \(role)\(algorithm) \(dates)  \(certificate.fingerprint.prefix(16))…\(state)\(place)")
    }

    private static func warnings(_ report: KeysReport, at now: Instant) -> [String] {
        report.ends(at: now).map { end in
            "the \(report.environment.rawValue) \(end.certificate.purpose.rawValue) \(end.certificate.role.rawValue) "
                + "\(end.isOver ? "ended" : "ends") on \(end.day); \(end.remedy)"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// The keys of one environment, for `till keys show`.
struct KeysReport: Encodable {
    struct Certificate: Encodable {
        let purpose: ChainPurpose
        let role: CertificateRole
        let number: Int
        let state: State
        let subject: String
        let serialNumber: String
        let algorithm: String
        let notBefore: String
        let notAfter: String
        let fingerprint: String
        let certificateFile: String
        /// Left out if the private key is kept elsewhere.
        let keyFile: String?
    }

    /// The state of a certificate.
    enum State: String, Encodable {
        case inUse = "in_use"
        case retired, revoked

        init(_ entry: Keyring.Entry) {
            self = entry.revokedAt != nil ? .revoked : entry.retiredAt != nil ? .retired : .inUse
        }
    }

    let environment: StoreEnvironment
    let organization: String
    let path: String
    /// Whether a passphrase protects the private keys in use.
    let protected: Bool
    let certificates: [Certificate]

    init(_ store: KeyStore, _ environment: StoreEnvironment) throws {
        let keyring = try store.keyring(environment)
        self.environment = environment
        organization = keyring.organization
        path = "\(store.path)/\(environment.rawValue)"
        protected = try store.isProtected(environment)
        certificates = try keyring.entries.map { entry in
            let certificate = try store.certificate(entry, of: environment)
            return Certificate(
                purpose: entry.purpose, role: entry.role, number: entry.number, state: State(entry),
                subject: certificate.subject, serialNumber: certificate.serialNumber,
                algorithm: certificate.publicKey.algorithm.map(Self.name) ?? "unknown",
                notBefore: certificate.notBefore.rfc3339, notAfter: certificate.notAfter.rfc3339,
                fingerprint: entry.fingerprint, certificateFile: store.certificatePath(entry, of: environment),
                keyFile: store.keyPath(entry, of: environment))
        }
    }

    private static func name(_ algorithm: KeyAlgorithm) -> String {
        switch algorithm {
        case .p256: "P-256"
        case .p384: "P-384"
        case .rsa: "RSA"
        }
    }

    /// A certificate in use that expires, and what to do about it.
    struct End {
        let certificate: Certificate
        let isOver: Bool
        let remedy: String

        var day: String { String(certificate.notAfter.prefix(10)) }
    }

    /// The certificates in use that have expired, or will within two months.
    func ends(at now: Instant) -> [End] {
        certificates.filter { $0.state == .inUse }.compactMap { certificate in
            guard let end = try? Instant(rfc3339: certificate.notAfter),
                end <= now + EnvironmentKeys.notice
            else { return nil }
            // What answers for an intermediate is made with it.
            let role = certificate.role == .responder ? .intermediate : certificate.role
            let command = "till keys rotate --environment \(environment.rawValue) --from \(role.rawValue)"
            return End(certificate: certificate, isOver: end <= now, remedy: "replace it with: \(command)")
        }
    }
}

/// `till keys root`
enum KeysRoot {
    static let purpose = Option<ChainPurpose>.defaulted(
        "purpose", .choice("PURPOSE", of: ChainPurpose.self), to: .jws, help: "The chain: jws or receipt.")
    static let pem = Option<Bool>.flag("pem", help: "Write PEM, which is text; this is the default.")
    static let der = Option<Bool>.flag("der", help: "Write DER, which is binary.")
    static let all = Option<Bool>.flag("all", help: "Every root that still verifies something, newest last; PEM only.")
    static let output = Option<String?>.optional(
        "output", .file(), help: "Write to this file instead of standard output.")

    static let command = Command<TillProgram.Action>(
        "root", "Write the root certificate, which verifiers need.",
        discussion: "Roots are public. Apple's server libraries take one in DER as their root certificate.",
        options: [KeysOptions.requiredEnvironment, purpose, pem, der, all, output],
        rules: [.atMostOne(pem, der), .atMostOne(der, all)],
        examples: [
            Example(
                "For a server that verifies sandbox purchases",
                "till keys root --environment sandbox --der --output sandbox-root.der"),
            Example("Look at it", "till keys root --environment production | openssl x509 -noout -text"),
        ],
        exitCodes: [
            .inputMissing.when("There are no keys."), .cannotCreate.when("The file cannot be written."),
            .configuration.when("The key store is damaged."),
        ],
        seeAlso: ["till keys show"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let bytes = try content(arguments)
        if let path = arguments[output] {
            try write(bytes, to: path, besides: KeysOptions.store(arguments).path)
        } else if arguments[der], context.outputIsTerminal {
            throw CommandFailure(.usage, "DER is binary; send it to a file with --output FILE or a pipe")
        } else {
            context.write(bytes)
        }
    }

    /// Replaces a file atomically. Other nodes, such as `/dev/stdout`, are written to and never replaced. It refuses to
    /// write to the folder of the keys, where a mistake could destroy a key.
    private static func write(_ bytes: [UInt8], to path: String, besides keys: String) throws {
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
        guard !(folder + "/").hasPrefix(URL(fileURLWithPath: keys).resolvingSymlinksInPath().path + "/") else {
            throw CommandFailure(.usage, "--output must not be among the keys, in \(keys)")
        }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        let isReplaced = type == nil || type == .typeRegular
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: isReplaced ? .atomic : [])
        } catch {
            throw CommandFailure(.cannotCreate, "\(path) cannot be written")
        }
    }

    private static func content(_ arguments: ParsedArguments) throws -> [UInt8] {
        let store = KeyStore(dataDirectory: try DataDirectory.ofStore(arguments).path)
        let environment = arguments[KeysOptions.requiredEnvironment]
        let keyring = try store.keyring(environment)
        let chain = arguments[purpose]
        if arguments[all] {
            let roots = keyring.entries.filter { $0.purpose == chain && $0.role == .root && $0.revokedAt == nil }
            return try roots.flatMap { try Array(store.certificate($0, of: environment).pemRepresentation.utf8) }
        }
        let root = try store.certificate(keyring.current(chain, .root), of: environment)
        return try arguments[der] ? root.derRepresentation : Array(root.pemRepresentation.utf8)
    }
}
