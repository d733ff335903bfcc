import CommandOptions
import Foundation
import StoreHTTPListener
import StoreModel
import StoreSigning

/// Everything the doctor looks at, in the order in which one would mend it.
struct Examination: Sendable {
    private let directory: DataDirectory
    private let upkeep: UpkeepSettings
    private let listeners: [(name: String, address: ListenAddress)]
    private let tls: TLSFiles?
    private let passphrase: [UInt8]?
    private let now: Instant

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        directory = DataDirectory(arguments[DataOptions.data])
        upkeep = UpkeepSettings(arguments, context)
        listeners = [
            ("production", arguments[ServeOptions.listen]), ("sandbox", arguments[ServeOptions.sandboxListen]),
        ]
        tls = ServeOptions.tls(arguments)
        passphrase = try Passphrase.fromFile(arguments)
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
        }
        findings += ClockCheck(
            now: now, isSynchronized: ClockCheck.systemIsSynchronized, lastWrite: ClockCheck.lastWrite(in: directory)
        ).findings()
        findings += TimeZoneCheck(zone: { TimeZone(identifier: $0) }).findings()
        findings += LimitsCheck(openFiles: LimitsCheck.systemOpenFiles).findings()
        if let tls { findings += TLSCheck(path: tls.certificate, now: now).findings() }
        let nothing: (isRunning: Bool, findings: [Finding]) = (false, [])
        let store = hasFolder ? await StoreCheck(directory: directory, upkeep: upkeep).findings() : nothing
        findings += store.findings
        // What runs there is the store itself.
        if !store.isRunning {
            for listener in listeners {
                findings += await ListenerCheck(name: listener.name, address: listener.address, tls: tls).findings()
            }
        }
        return (store.isRunning, findings)
    }
}
