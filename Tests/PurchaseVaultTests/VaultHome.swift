import Foundation
import StoreSigning
import Synchronization

@testable import PurchaseVault

/// The homes of one test, which are removed with the object.
final class VaultHomes: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vaults-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Another home, with a Secret Service or without.
    func make(secrets: TestSecrets = TestSecrets(isAvailable: false)) throws -> VaultHome {
        try VaultHome(in: folder, secrets: secrets)
    }
}

/// The home of somebody, with a vault in it.
struct VaultHome: Sendable {
    let folder: URL
    let secrets: TestSecrets
    /// The file that names the machine.
    let machine: URL

    init(in parent: URL, secrets: TestSecrets) throws {
        folder = parent.appendingPathComponent(UUID().uuidString)
        machine = folder.appendingPathComponent("machine-id")
        self.secrets = secrets
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try "0123456789abcdef".write(to: machine, atomically: true, encoding: .utf8)
    }

    /// Another home with the files of this one, as a backup brings them.
    func restored(secrets: TestSecrets? = nil) throws -> VaultHome {
        let home = try VaultHome(in: folder.deletingLastPathComponent(), secrets: secrets ?? self.secrets)
        for name in ["app.vault", "app.key", "app.place"] where exists(name) {
            try FileManager.default.copyItem(at: path(name), to: home.path(name))
        }
        return home
    }

    func path(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name).path) }

    func bytes(_ name: String = "app.vault") throws -> [UInt8] { Array(try Data(contentsOf: path(name))) }

    func write(_ bytes: [UInt8], _ name: String = "app.vault") throws {
        try Data(bytes).write(to: path(name))
    }

    func open(_ place: VaultKeyPlace = .automatic, passphrase: String? = nil) throws -> Vault {
        try Vault(
            VaultFiles("app", in: folder, machine: machine.path), keyPlace: place, recoveryPassphrase: passphrase,
            secrets: secrets, scrypt: .quick)
    }

    /// A vault with something of everything.
    @discardableResult
    func fill() throws -> Vault {
        let vault = try open()
        try vault.change { purchases in
            for filter in ["sepia", "mono", "all"] { try purchases.unlock(filter) }
            try purchases.add(40, to: "credits")
            try purchases.add(2, to: "lives")
            for number in 1...3 { _ = try purchases.deliver("200000000000\(number)") }
        }
        return vault
    }
}

/// A Secret Service in memory.
final class TestSecrets: SecretKeeper {
    private let isAvailable: Bool
    private let secrets = Mutex<[String: String]>([:])

    init(isAvailable: Bool = true) { self.isAvailable = isAvailable }

    var all: [String: String] { secrets.withLock { $0 } }

    func secret(of vault: String) throws -> String? {
        guard isAvailable else { throw VaultError(.secretServiceUnavailable, "there is no Secret Service") }
        return all[vault]
    }

    func keep(_ secret: String, of vault: String, label: String) throws {
        guard isAvailable else { throw VaultError(.secretServiceUnavailable, "there is no Secret Service") }
        secrets.withLock { $0[vault] = secret }
    }
}

/// The code of the error that something throws; nil if it throws none.
func code(_ body: () throws -> Void) -> VaultError.Code? {
    do {
        try body()
    } catch let error as VaultError {
        return error.code
    } catch {
        return VaultError.Code(rawValue: "\(error)")
    }
    return nil
}
