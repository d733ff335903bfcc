import CBenchReference
import Foundation
import PurchaseVault

/// An app starts and reads what was bought.
struct VaultRow: BenchmarkRow {
    let name = "vault-open"
    let summary = "A vault of 1000 unlocks with its key in a file is opened, and all of them read."
    let reference = "C: the same files read, each entry decrypted by OpenSSL"

    private static let entries = 1000

    func prepare() throws -> Contest {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path)
        let names = (0..<Self.entries).map { "com.example.app.product\($0)" }
        try Vault("bench", in: url, keyPlace: .file).change { purchases in
            for name in names { try purchases.unlock(name) }
        }
        let ours = LoopContestant(batch: 8) { _ in
            let contents = try withExtendedLifetime(folder) { try Vault("bench", in: url).contents }
            guard contents.unlocks.count == Self.entries else {
                throw BenchmarkError("the vault has lost something")
            }
        }
        let (key, record) = (folder.path + "/bench.key", folder.path + "/bench.vault")
        let reference = LoopContestant(batch: 8) { _ in
            guard till_vault_reference_run(key, record) == Int32(Self.entries) else {
                throw BenchmarkError("the C reference does not open the vault")
            }
        }
        return Contest(ours: ours, reference: reference)
    }
}
