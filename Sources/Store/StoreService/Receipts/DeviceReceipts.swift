import StoreDatabase
package import StoreModel
import StoreSigning

/// The receipts of an app on a device, signed, as things stand now.
package struct DeviceReceipts: Sendable {
    private let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// The receipt of the app. It never asks anybody for anything: who is signed in is known.
    ///
    /// - Parameter properties: how it is to be for a test; production makes only receipts that are true.
    package func receipt(with properties: ReceiptProperties, as token: DeviceToken) async throws -> [UInt8] {
        let (environment, clocks) = (store.environment, store.clocks)
        let opaque = try store.random(Receipts.opaqueBytes)
        var receipt = try await store.read(as: token) { scope, transaction in
            try Receipts.appReceipt(
                of: scope.device, in: environment, opaqueValue: opaque, at: clocks.now(by: scope.clock).commerce,
                in: transaction)
        }
        if environment == .sandbox { properties.apply(to: &receipt) }
        return try store.signers.receipt.sign(receipt)
    }

    /// The receipt of a transaction of the customer, in the form of iOS 6.
    package func receipt(of id: TransactionID, as token: DeviceToken) async throws -> [UInt8] {
        let environment = store.environment
        let receipt = try await store.read(as: token) { scope, transaction in
            try Receipts.transactionReceipt(
                of: Transactions.require(id, of: scope.requireCustomerScope(), in: transaction), for: scope.device,
                in: environment, in: transaction)
        }
        return try store.signers.transactionReceipt.sign(receipt)
    }

    /// Those of several transactions; what is not the customer's is left out.
    package func receipts(
        of ids: [TransactionID], as token: DeviceToken
    ) async throws -> [(id: TransactionID, receipt: [UInt8])] {
        let environment = store.environment
        let found = try await store.read(as: token) { scope, transaction in
            let owner = try scope.requireCustomerScope()
            return try ids.compactMap { id -> (TransactionID, TransactionReceipt)? in
                try Transactions.find(id, of: owner, in: transaction).map {
                    let receipt = try Receipts.transactionReceipt(
                        of: $0, for: scope.device, in: environment, in: transaction)
                    return (id, receipt)
                }
            }
        }
        return try found.map { ($0, try store.signers.transactionReceipt.sign($1)) }
    }
}
