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
        let store = KeysOptions.store(arguments)
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
