import Foundation
import PurchaseVault

/// What the person has, in a vault of the app's own: encrypted, and whole after the end of the app at any moment.
///
/// What is delivered is on the disk before ``deliver(_:quantity:of:)`` returns, together with the identifier of its
/// transaction: whatever comes again is not counted again.
struct Wallet {
    fileprivate static let name = "credits"

    let vault: Vault
    private var contents: VaultContents
    /// Whether a part of what the person had could not be read.
    let wasDamaged: Bool

    var credits: Int { contents.balances[Self.name].map { Int($0.amount) } ?? 0 }
    /// Whether the credits are those of a backup, and may have been spent since.
    var isStale: Bool { contents.balances[Self.name]?.isStale ?? false }
    var possessions: [String] { Goods.allCases.compactMap(\.possession).filter(contents.unlocks.contains) }

    init(in folder: URL) throws {
        let (vault, isNew) = try Self.open(in: folder)
        self.vault = vault
        wasDamaged = try vault.repair() != nil || isNew
        contents = try vault.contents
    }

    /// The vault, and whether it is a new one in the place of one that does not open at all.
    private static func open(in folder: URL) throws -> (Vault, isNew: Bool) {
        do {
            return (try Vault("wallet", in: folder), false)
        } catch let error as VaultError where error.code == .damaged {
            try Vault.setAside("wallet", in: folder)
            return (try Vault("wallet", in: folder), true)
        }
    }

    /// Adds what was bought, unless this transaction has brought it already, and says whether it did.
    mutating func deliver(_ goods: Goods, quantity: Int, of transaction: String) throws -> Bool {
        try change {
            guard try $0.deliver(transaction) else { return false }
            try $0.add(goods, quantity: quantity)
            return true
        }
    }

    /// Gives back what the person owned already. Credits were used up where they were bought.
    mutating func restore(_ goods: Goods, of transaction: String) throws {
        guard let possession = goods.possession else { return }
        try change {
            _ = try $0.deliver(transaction)
            try $0.unlock(possession)
        }
    }

    /// Takes away what the person does not own any more. Credits are not counted here: StoreKit 1 does not say how many were bought.
    mutating func takeBack(_ goods: Goods) throws {
        try change { try $0.takeBack(goods, quantity: 0) }
    }

    /// Takes the credits as they are. An app with a server of its own would ask that.
    mutating func confirm() throws {
        try change { $0.confirmBalances() }
    }

    /// Shows what was changed in the vault itself. Where it cannot be read, all stays as it was.
    mutating func refresh() {
        contents = (try? vault.contents) ?? contents
    }

    private mutating func change<Result: Sendable>(
        _ body: (inout VaultContents) throws -> Result
    ) throws -> Result {
        let result = try vault.change(body)
        contents = try vault.contents
        return result
    }
}

extension VaultContents {
    mutating func add(_ goods: Goods, quantity: Int) throws {
        if goods.credits > 0 { try add(Int64(goods.credits * quantity), to: Wallet.name) }
        if let possession = goods.possession { try unlock(possession) }
    }

    /// Of credits what is left of them; the others were spent.
    mutating func takeBack(_ goods: Goods, quantity: Int) throws {
        let left = min(Int64(goods.credits * quantity), balances[Wallet.name]?.amount ?? 0)
        if left > 0 { try spend(left, of: Wallet.name) }
        if let possession = goods.possession { takeBack(possession) }
    }
}
