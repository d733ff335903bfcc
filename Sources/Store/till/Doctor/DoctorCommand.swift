import CommandOptions
import Foundation
import StoreFoundation
import StoreHTTPListener
import StoreModel
import StoreSigning

/// `till doctor`
enum DoctorCommand {
    static let command = Command<TillProgram.Action>(
        "doctor", "Examine a store: what is wrong with it, and how to mend it.",
        discussion: """
            It looks at the data directory, permissions, keys and their ends, clock, time zones, databases, pictures and \
            content, disk, addresses and certificate, and changes nothing. It works whether the store runs or not, and takes the same \
            settings as till serve.
            """,
        options: [
            DataOptions.data, DatabaseOptions.database, BlobOptions.blobs, KeysOptions.passphraseFile,
            SystemOptions.backups, SettingsOptions.file, StandardOptions.json,
        ] + OnlineChecks.options,
        rules: ServeOptions.rules,
        examples: [
            Example("Examine the store in ./till_data", "till doctor"),
            Example(
                "What needs attention, for a script",
                "till doctor --json | jq -r '.findings[] | select(.level != \"ok\") | .message'"),
        ],
        exitCodes: [
            .success.when("Nothing is wrong; there may be warnings."),
            .failure.when("Something is wrong; the findings say what."),
        ],
        seeAlso: ["till serve", "till database check"],
        action: run)

    private struct Report: Encodable {
        let running: Bool
        let findings: [Finding]
    }

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let examination = try Examination(arguments, context)
        let (isRunning, findings) = await examination.findings()
        if arguments[StandardOptions.json] {
            try context.printJSON(Report(running: isRunning, findings: findings))
        } else {
            show(findings, in: context)
        }
        let problems = findings.filter { $0.level == .problem }.count
        if problems > 0 {
            throw CommandFailure(.failure, "\(problems) \(problems == 1 ? "problem" : "problems") found")
        }
    }

    private static func show(_ findings: [Finding], in context: CommandContext) {
        let width = findings.map(\.part.count).max() ?? 0
        for finding in findings {
            let mark =
                switch finding.level {
                case .ok: "ok      "
                case .warning: "WARNING "
                case .problem: "PROBLEM "
                }
            let part = finding.part + String(repeating: " ", count: width - finding.part.count)
            context.print("\(mark) \(part)  \(PrintableText(finding.message, limit: 400))")
            if let remedy = finding.remedy {
                context.print(String(repeating: " ", count: width + 11) + "-> \(PrintableText(remedy, limit: 400))")
            }
        }
    }
}

/// All checks, in the order in which problems should be repaired.
struct Examination: Sendable {
    private let directory: DataDirectory
    private let upkeep: UpkeepSettings
    private let listeners: [(name: String, address: ListenAddress)]
    private let tls: TLSFiles?
    private let passphrase: [UInt8]?
    private let onlineChecks: [StoreEnvironment: String]
    private let backups: String
    private let now: Instant

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        directory = try DataDirectory.ofStore(arguments)
        upkeep = UpkeepSettings(arguments, context)
        listeners = [
            ("production", arguments[ServeOptions.listen]), ("sandbox", arguments[ServeOptions.sandboxListen]),
        ]
        tls = ServeOptions.tls(arguments)
        onlineChecks = OnlineChecks.configured(arguments)
        passphrase = try Passphrase.fromFile(arguments)
        backups = SystemOptions.folder(arguments, in: directory)
        now = context.now
    }

    func findings() async -> (isRunning: Bool, [Finding]) {
        var findings = FolderCheck(directory: directory).findings()
        let hasFolder = access(directory.path, F_OK) == 0
        if hasFolder {
            findings += DiskCheck(path: directory.path, room: .init(at: directory.path)).findings()
            findings += KeysCheck(
                keys: KeyStore(dataDirectory: directory.path), passphrase: passphrase, now: now
            ).findings()
            findings += BackupCheck(folder: backups).findings()
        }
        findings += ClockCheck(
            now: now, isSynchronized: ClockCheck.systemIsSynchronized, lastWrite: ClockCheck.lastWrite(in: directory)
        ).findings()
        findings += TimeZoneCheck(zone: { TimeZone(identifier: $0) }).findings()
        findings += LimitsCheck(openFiles: OpenFiles.raise()).findings()
        if let tls { findings += TLSCheck(path: tls.certificate, now: now).findings() }
        let nothing: (isRunning: Bool, findings: [Finding]) = (false, [])
        let store = hasFolder ? await StoreCheck(directory: directory, upkeep: upkeep).findings() : nothing
        findings += store.findings
        if hasFolder { findings += await onlineCheckFindings() }
        // The process there is the store itself.
        if !store.isRunning {
            for listener in listeners {
                findings += await ListenerCheck(name: listener.name, address: listener.address, tls: tls).findings()
            }
        }
        return (store.isRunning, findings)
    }
}

extension Examination {
    /// A running store knows best where it is asked.
    private func onlineCheckFindings() async -> [Finding] {
        let running = try? await OnlineChecks.running(directory)
        return CertificateAddressCheck(
            keys: KeyStore(dataDirectory: directory.path), addresses: running ?? onlineChecks,
            hasBegun: directory.hasBegun
        ).findings()
    }
}

/// The result of a check, and how to repair what it found.
struct Finding: Hashable, Sendable, Encodable {
    enum Level: String, Sendable, Encodable {
        case ok
        /// It works, but will not for long, or not well.
        case warning
        /// Something does not work.
        case problem
    }

    let part: String
    let level: Level
    /// The finding, in one sentence without a full stop.
    let message: String
    /// What to do about it; nil if nothing is wrong.
    let remedy: String?

    static func ok(_ part: String, _ message: String) -> Finding {
        Finding(part: part, level: .ok, message: message, remedy: nil)
    }

    static func warning(_ part: String, _ message: String, remedy: String) -> Finding {
        Finding(part: part, level: .warning, message: message, remedy: remedy)
    }

    static func problem(_ part: String, _ message: String, remedy: String) -> Finding {
        Finding(part: part, level: .problem, message: message, remedy: remedy)
    }
}
