import Foundation
import PurchaseVault

/// What the person has unlocked, in a vault that comes back with a backup of the home and needs no store to be read.
struct Possessions {
    private let vault: Vault
    /// The products that were bought.
    private(set) var products: Set<String>
    /// Whether a part of the record could not be read, and was set aside.
    let wasDamaged: Bool

    /// - Parameter passphrase: opens the vault if its key is not on this machine.
    init(in folder: URL, passphrase: String?) throws {
        vault = try Vault(Self.name, in: folder, recoveryPassphrase: passphrase)
        wasDamaged = try vault.repair() != nil
        products = try vault.contents.unlocks
    }

    private static let name = "filters"

    /// Sets a record aside that cannot be opened; a restore fills the new one.
    static func beginAnew(in folder: URL) throws -> URL? { try Vault.setAside(name, in: folder) }

    /// Where the key came from, in words.
    var keySource: String { vault.keySource.description }
    /// Whether it comes from a backup.
    var isRestored: Bool { vault.isRestored }

    func allows(_ filter: Filter) -> Bool {
        filter.product.map { products.contains($0) || products.contains(Filter.all) } ?? true
    }

    mutating func unlock(_ product: String) throws {
        try vault.change { try $0.unlock(product) }
        products = try vault.contents.unlocks
    }

    /// The person got the money back.
    mutating func takeBack(_ product: String) throws {
        try vault.change { $0.takeBack(product) }
        products = try vault.contents.unlocks
    }

    /// Lets a passphrase open the vault on a machine that has no key of it.
    func protect(with passphrase: String) throws { try vault.setRecoveryPassphrase(passphrase) }
}
