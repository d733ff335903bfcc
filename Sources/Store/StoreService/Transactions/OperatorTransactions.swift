import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreRules
import StoreSigning

/// Transactions as the operator looks after them: with everything that they came of and that came of them.
package struct OperatorTransactions: Sendable {
    let store: EnvironmentStore

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A transaction with its sale, refunds and bookings.
    package struct Details: Sendable {
        package let transaction: StoreTransaction
        package let finishedAt: Instant?
        package let sale: SaleStatus?
        package let history: [SaleHistoryEntry]
        package let refunds: [StoredRefund]
        /// What was paid and not given back.
        package let rest: Money
        /// Who revoked it; nil if nobody did.
        package let revokedBy: String?
        package let refundRequests: [StoredRefundRequest]
        package let ledger: [Ledger.Entry]
        /// The newest things that devices were told of it, the oldest of them first.
        package let events: [ToldEvent]
        /// As a device or a developer's server gets it.
        package let signed: String
    }

    private static let mostEvents = 50

    package func details(of id: TransactionID) async throws -> Details {
        let store = store
        return try await store.database.read { transaction in
            let found = try Transactions.require(id, in: transaction)
            let sale = try found.orderID.flatMap { try SaleStatus($0, in: transaction) }
            let download = try AppDownload.find(of: found.customerID, app: found.appID, in: transaction)
            let clock = try CustomerClock.of(found.customerID, in: transaction)
            let commerce = store.clocks.now(by: clock).commerce
            return Details(
                transaction: found, finishedAt: try Transactions.finishedAt(id, in: transaction), sale: sale,
                history: try sale?.history(in: transaction) ?? [],
                refunds: try Refunds.all(of: id, in: transaction),
                rest: try sale?.charge.map { try $0.amount - $0.refunded } ?? .zero(found.price.currency),
                revokedBy: try Refunds.revoker(of: id, in: transaction),
                refundRequests: try RefundRequests.about(id, in: transaction),
                ledger: try Ledger.entries(about: id, in: transaction),
                events: try CustomerEvents.told(of: found, limit: Self.mostEvents, in: transaction),
                signed: try store.signers.jws.sign(
                    encoding: found.payload(
                        in: store.environment, appTransaction: download?.number, signedAt: commerce),
                    at: commerce))
        }
    }

    /// A transaction in a list.
    package struct Line: Sendable {
        package let transaction: StoreTransaction
        package let finishedAt: Instant?
    }

    /// Transactions after one, the oldest first; of the customer of a number or an address, if one is named.
    package func list(
        ofCustomer name: String?, boughtIn period: ReportPeriod = .always, for amount: AmountRange = .any,
        after id: TransactionID?, limit: Int
    ) async throws -> [Line] {
        try await store.database.read { transaction in
            let found = try Transactions.list(
                of: try name.map { try Customers.named($0, in: transaction).id }, boughtIn: period, for: amount,
                after: id, limit: limit, in: transaction)
            let finished = try Transactions.finishedAt(all: found.map(\.id), in: transaction)
            return found.map { Line(transaction: $0, finishedAt: finished[$0.id]) }
        }
    }

    package func newest() async throws -> Details {
        guard let newest = try await store.database.read({ try Transactions.newest(in: $0) }) else {
            throw ServiceError(.transactionUnknown, "there is no transaction yet")
        }
        return try await details(of: newest.id)
    }

    /// A receipt that an app of the customer has.
    // Closed: these are the two forms that receipts ever had.
    package enum ReceiptForm: String, Sendable {
        case app
        /// That of iOS 6, for one transaction.
        case transaction
    }

    package func receipt(of id: TransactionID, as form: ReceiptForm) async throws -> [UInt8] {
        let store = store
        let opaque = try store.random(Receipts.opaqueBytes)
        return try await store.database.read { transaction in
            let found = try Transactions.require(id, in: transaction)
            switch form {
            case .transaction:
                return try store.signers.transactionReceipt.sign(
                    Receipts.transactionReceipt(of: found, in: store.environment))
            case .app:
                let clock = try CustomerClock.of(found.customerID, in: transaction)
                return try store.signers.receipt.sign(
                    Receipts.appReceipt(
                        ofCustomerOf: found, in: store.environment, opaqueValue: opaque,
                        at: store.clocks.now(by: clock).commerce, in: transaction))
            }
        }
    }

    /// Gives back what was paid: all that is left, which revokes the transaction, or a part.
    ///
    /// - Parameter key: names a part, so that a repeated request makes one refund.
    package func refund(
        _ id: TransactionID, _ choice: RefundChoice, key: PurchaseKey?, reason: RevocationReason, _ cause: ChangeCause
    ) async throws -> StoredRefund {
        let sold = try await store.database.read { try Transactions.require(id, in: $0) }
        let intent: RefundIntent
        switch (try choice.extent(in: sold.price.currency), key) {
        case (.full, _): intent = .full(reason, key: key)
        case (.amount(let amount), let key?):
            intent = .amount(amount, revokes: choice.revokes ?? false, key: key, reason: reason)
        case (.amount, nil):
            throw ServiceError(.keyMissing, "the refund of a part has a key", parameter: "Idempotency-Key")
        case (.percentage, _), (.prorated, _):
            throw ServiceError(.valueInvalid, "a share is given back by a refund request", parameter: "amount")
        }
        return try await RefundDriver(store).refund(intent, of: id, cause)
    }

    /// Revokes a transaction without giving back what was paid.
    package func revoke(_ id: TransactionID, reason: RevocationReason, _ cause: ChangeCause) async throws -> Details {
        try await change(id, cause) { found, change in try Refunds.revoke(found.id, reason: reason, change) }
    }

    /// Delivers a transaction once more.
    package func redeliver(_ id: TransactionID, _ cause: ChangeCause) async throws -> Details {
        try await change(id, cause) { found, change in try Transactions.redeliver(found, change) }
    }

    /// Finishes a transaction for an app that does not.
    package func finish(_ id: TransactionID, _ cause: ChangeCause) async throws -> Details {
        try await change(id, cause) { found, change in
            try Transactions.finish(found.id, of: nil, on: nil, change)
        }
    }

    private func change(
        _ id: TransactionID, _ cause: ChangeCause,
        _ body: @escaping @Sendable (StoreTransaction, Change) throws -> Void
    ) async throws -> Details {
        try await store.database.write { transaction in
            let found = try Transactions.require(id, in: transaction)
            try body(found, cause.change(of: found.customerID, in: transaction))
        }
        return try await details(of: id)
    }
}
