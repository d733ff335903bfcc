import Foundation
import PurchaseVault

/// The vault of an app as the storage of ``PurchaseFulfilment``: each record is a text in it.
///
/// What has a record is among the transactions that were delivered, and the other way round: an app may deliver by StoreKit 1 too.
struct FulfilmentVault: FulfilmentStorage {
    let vault: Vault

    var contents: VaultContents {
        get throws { try vault.contents }
    }

    func record(of transaction: Transaction.ID) throws -> FulfilmentRecord? {
        try Self.record(of: transaction, in: vault.contents)
    }

    func change<Result: Sendable>(
        _ transaction: Transaction.ID?, _ body: (inout VaultContents, inout FulfilmentRecord?) throws -> Result
    ) throws -> Result {
        try vault.change { contents in
            var record = try transaction.flatMap { try Self.record(of: $0, in: contents) }
            let result = try body(&contents, &record)
            if let transaction, let record {
                let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
                try contents.keep(text, as: Self.name(of: transaction))
                _ = try contents.deliver("\(transaction)")
            }
            return result
        }
    }

    private static func record(of transaction: Transaction.ID, in contents: VaultContents) throws -> FulfilmentRecord? {
        if let text = try contents.text(of: name(of: transaction)) {
            return try JSONDecoder().decode(FulfilmentRecord.self, from: Data(text.utf8))
        }
        return try contents.isDelivered("\(transaction)") ? .given : nil
    }

    private static func name(of transaction: Transaction.ID) -> String { "fulfilment \(transaction)" }
}
