import Foundation
import StoreSigning
import TestSupport
import Testing

@testable import PurchaseVault

@Suite(.bounded) struct VaultTests {
    private let homes = VaultHomes()

    @Test("R4.4: What is unlocked, kept and delivered is there at the next opening, and in no file to be read")
    func lasts() throws {
        let home = try homes.make()
        #expect(try home.fill().keySource == .new)
        let vault = try home.open()
        let contents = try vault.contents
        #expect(contents.unlocks == ["sepia", "mono", "all"])
        #expect(try contents.balance(of: "credits") == Balance(40))
        #expect(try contents.isDelivered("2000000000001") && !contents.isDelivered("1"))
        #expect(vault.keySource == .file && !vault.isRestored)
        let text = String(decoding: try home.bytes(), as: UTF8.self)
        #expect(!text.contains("sepia") && !text.contains("credits"))
        let mode = try FileManager.default.attributesOfItem(atPath: home.path("app.key").path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("A transaction is delivered once, and a change that throws leaves nothing behind") func once() throws {
        let home = try homes.make()
        let vault = try home.open()
        func deliver(_ vault: Vault) throws -> Bool {
            try vault.change { purchases in
                guard try purchases.deliver("1") else { return false }
                try purchases.add(10, to: "credits")
                return true
            }
        }
        let failed = code {
            try vault.change { purchases in
                try purchases.add(1, to: "credits")
                try purchases.spend(5, of: "credits")
            }
        }
        #expect(failed == .balanceTooLow)
        #expect(try deliver(vault))
        #expect(try !deliver(home.open()))
        try vault.change { try $0.spend(4, of: "credits") }
        #expect(try vault.contents.balance(of: "credits") == Balance(6))
        #expect(try vault.contents.balance(of: "nothing") == Balance(0))
    }

    @Test("Those who have it open at once see each other's changes and lose none") func together() async throws {
        let home = try homes.make()
        let first = try home.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let vault = try home.open()
                group.addTask {
                    for step in 0..<10 {
                        let isNew = try vault.change { purchases in
                            try purchases.add(1, to: "credits")
                            return try purchases.deliver("\(number)/\(step)")
                        }
                        #expect(isNew)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try first.contents.balance(of: "credits") == Balance(40))
    }

    @Test("What a crash leaves behind is no backup: the next opening trusts its balances") func crash() throws {
        let home = try homes.make()
        let vault = try home.fill()
        // The record was written, and the note that it was not.
        let place = try home.bytes("app.place")
        try vault.change { try $0.add(1, to: "credits") }
        let file = try FileHandle(forWritingTo: home.path("app.place"))
        try file.write(contentsOf: Data(place))
        try file.close()
        // A draft was begun.
        try home.write([1, 2, 3], "app.vault.new")
        let next = try home.open()
        #expect(try !next.isRestored && next.contents.balance(of: "credits") == Balance(41))
        try next.change { try $0.add(1, to: "credits") }
        #expect(try home.open().contents.balance(of: "credits") == Balance(42))
    }

    @Test("What cannot be written is not there, for those who have it open neither") func unwritten() throws {
        let home = try homes.make()
        let vault = try home.fill()
        let record = try home.bytes()
        try FileManager.default.createDirectory(at: home.path("app.vault.new"), withIntermediateDirectories: true)
        #expect(code { try vault.change { try $0.add(1, to: "credits") } } == .file)
        #expect(try vault.contents.balance(of: "credits") == Balance(40) && home.bytes() == record)
        #expect(code { try vault.setRecoveryPassphrase("correct horse") } == .file)
        try FileManager.default.removeItem(at: home.path("app.vault.new"))
        try vault.change { try $0.add(1, to: "credits") }
        #expect(try home.open().contents.balance(of: "credits") == Balance(41))
    }

    // MARK: Backups

    @Test("R4.4: A restored home opens at once: unlocks can be read, balances are stale until they are confirmed")
    func restored() throws {
        let home = try homes.make()
        try home.fill()
        let vault = try home.restored().open()
        #expect(vault.isRestored && vault.keySource == .file)
        #expect(try vault.contents.isUnlocked("sepia"))
        #expect(try vault.contents.balance(of: "credits") == Balance(40, isStale: true))
        #expect(code { try vault.change { try $0.spend(1, of: "credits") } } == .staleBalance)
        try vault.change { try $0.add(5, to: "credits") }
        #expect(try vault.contents.balance(of: "credits") == Balance(45, isStale: true))
        try vault.change { try $0.confirm(12, of: "credits") }
        #expect(try vault.contents.balance(of: "credits") == Balance(12))
        #expect(try vault.contents.balance(of: "lives") == Balance(2, isStale: true))
        try vault.change { $0.confirmBalances() }
        try vault.change { try $0.spend(1, of: "lives") }
        #expect(try vault.contents.balance(of: "lives") == Balance(1))
    }

    @Test("Balances stay stale over further openings, until they are confirmed") func staleForLong() throws {
        let home = try homes.make()
        try home.fill()
        let copy = try home.restored()
        #expect(try copy.open().isRestored)
        let again = try copy.open()
        #expect(try !again.isRestored && again.contents.balance(of: "credits").isStale)
    }

    @Test("The same disk in another machine counts as restored; this machine does not") func machine() throws {
        let home = try homes.make()
        try home.fill()
        try "fedcba9876543210".write(to: home.machine, atomically: true, encoding: .utf8)
        #expect(try home.open().isRestored)
        #expect(try !home.open().isRestored)
    }

    @Test("An earlier record in the place of the present one brings no balance back") func rolledBack() throws {
        let home = try homes.make()
        let vault = try home.fill()
        let rich = try home.bytes()
        try vault.change { try $0.spend(40, of: "credits") }
        try home.write(rich)
        // Also where the app has it open meanwhile.
        #expect(try vault.contents.balance(of: "credits") == Balance(40, isStale: true))
        #expect(code { try vault.change { try $0.spend(1, of: "credits") } } == .staleBalance)
        #expect(try home.open().isRestored)
        #expect(try home.open().contents.balance(of: "credits").isStale)
    }

    @Test("R4.4: A backup that is written over the files in place is noticed, whatever was spent or bought since")
    func overwritten() throws {
        let home = try homes.make()
        let vault = try home.fill()
        let names = ["app.vault", "app.key", "app.place"]
        let backup = try names.map { try home.bytes($0) }
        // So that no later record gets the number of this one within the same moment.
        try FileManager.default.linkItem(at: home.path("app.vault"), to: home.path("kept"))
        try vault.change { try $0.spend(40, of: "credits") }
        try vault.change { try $0.add(5, to: "credits") }
        let number = try FileManager.default.attributesOfItem(atPath: home.path("app.place").path)[.systemFileNumber]
        for (name, bytes) in zip(names, backup) { try home.write(bytes, name) }
        let kept = try FileManager.default.attributesOfItem(atPath: home.path("app.place").path)[.systemFileNumber]
        #expect(number as? UInt64 == kept as? UInt64, "It is the same file, with the generation of the backup.")
        #expect(try vault.contents.balance(of: "credits") == Balance(40, isStale: true))
        let opened = try home.open()
        #expect(opened.isRestored)
        #expect(try opened.contents.balance(of: "credits").isStale && opened.contents.isUnlocked("sepia"))
        #expect(code { try opened.change { try $0.spend(1, of: "credits") } } == .staleBalance)
    }

    // MARK: Keys

    @Test("The key is in the Secret Service where there is one, and then in no file") func secretService() throws {
        let home = try homes.make(secrets: TestSecrets())
        try home.fill()
        #expect(!home.exists("app.key") && home.secrets.all.count == 1)
        let copy = try home.restored().open()
        #expect(try copy.keySource == .secretService && copy.contents.isUnlocked("mono"))
    }

    @Test("Who wants the Secret Service and no file gets an error where there is none") func noSecretService() throws {
        let home = try homes.make()
        #expect(code { _ = try home.open(.secretService) } == .secretServiceUnavailable)
        #expect(!home.exists("app.vault") && !home.exists("app.key"))
    }

    @Test("On a machine without the key the passphrase opens it, and the key is there from then on") func passphrase()
        throws
    {
        let home = try homes.make(secrets: TestSecrets())
        let vault = try home.fill()
        try vault.setRecoveryPassphrase("correct horse")
        let elsewhere = try home.restored(secrets: TestSecrets(isAvailable: false))
        let record = try elsewhere.bytes()
        #expect(code { _ = try elsewhere.open() } == .keyMissing)
        #expect(code { _ = try elsewhere.open(passphrase: "wrong horse") } == .wrongPassphrase)
        #expect(try elsewhere.bytes() == record)
        let opened = try elsewhere.open(passphrase: "correct horse")
        #expect(try opened.keySource == .recoveryPassphrase && opened.contents.isUnlocked("all"))
        #expect(try elsewhere.open().keySource == .file)

        try vault.setRecoveryPassphrase(nil)
        let other = try home.restored(secrets: TestSecrets(isAvailable: false))
        #expect(code { _ = try other.open(passphrase: "correct horse") } == .wrongPassphrase)
    }

    @Test("A passphrase that is guessed quickly is not taken", arguments: ["", "1234567"]) func weak(passphrase: String)
        throws
    {
        let vault = try homes.make().fill()
        #expect(code { try vault.setRecoveryPassphrase(passphrase) } == .invalidValue)
    }

    @Test("A key that others may read is refused, with what closes it") func openKey() throws {
        let home = try homes.make()
        try home.fill()
        chmod(home.path("app.key").path, 0o644)
        let error = #expect(throws: VaultError.self) { try home.open() }
        #expect(error?.code == .keyMissing && error?.message.contains("chmod 600") == true)
    }

    @Test("A record that cannot be opened is set aside, and the next one has the same key") func setAside() throws {
        let home = try homes.make()
        try home.fill()
        let key = try home.bytes("app.key")
        let old = try home.bytes()
        try home.write([])
        #expect(code { _ = try home.open() } == .damaged)
        #expect(try Vault.setAside("app", in: home.folder)?.lastPathComponent == "app.damaged-1")
        let vault = try home.open()
        #expect(try vault.contents.unlocks.isEmpty && home.bytes("app.key") == key)
        // The old record comes back from a backup.
        try home.write(old)
        #expect(try home.open().contents.isUnlocked("sepia"))
    }

    // MARK: Limits

    @Test("Names and amounts that break a rule are refused, and change nothing") func limits() throws {
        let home = try homes.make()
        let vault = try home.fill()
        let long = String(repeating: "n", count: VaultLimits.nameBytes + 1)
        #expect(code { try vault.change { try $0.unlock(long) } } == .invalidValue)
        #expect(code { try vault.change { try $0.unlock("") } } == .invalidValue)
        #expect(code { try vault.change { try $0.add(-1, to: "credits") } } == .invalidValue)
        #expect(code { try vault.change { try $0.spend(-1, of: "credits") } } == .invalidValue)
        #expect(code { try vault.change { try $0.add(.max, to: "credits") } } == .tooLarge)
        #expect(code { _ = try Vault("../other", in: home.folder) } == .invalidValue)
        #expect(try vault.contents.balance(of: "credits") == Balance(40))
    }
}
