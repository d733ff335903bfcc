import StoreModel

extension PurchaseRecorder {
    /// Credits what a transaction brings, or takes it back: once for each thing that the store says of it.
    ///
    /// A transaction of a product that was never listed waits until it is, and one of a consumable that credits nothing until
    /// it does: what is used up is worth nothing else. False if there was nothing to do.
    func settle(_ transaction: VerifiedTransaction, product: ListedProduct?, userID: String) throws -> Bool {
        let table = BalanceTable(connection)
        let earlier = try table.credit(of: transaction)
        let isWaiting = product.map { $0.kind == .consumable && $0.credit == nil } ?? true
        guard !isWaiting || earlier != nil else { return false }
        return try SQLFulfilmentLedger(connection).fulfilInTransaction(transaction, at: now) { act in
            switch act {
            case .grant: try grant(product?.credit, earlier: earlier, of: transaction, userID: userID)
            case .takeBack: try takeBack(earlier, of: transaction)
            }
        }.isNew
    }

    /// The balance that a transaction credits to a user, as it is now.
    func balance(of transaction: VerifiedTransaction, for user: BackendUser) throws -> Balance? {
        let table = BalanceTable(connection)
        guard let credit = try table.credit(of: transaction), credit.userID == user.id else { return nil }
        return Balance(name: credit.balance.name, amount: try table.amount(of: credit.balance.name, userID: user.id))
    }

    /// What was taken back before goes to whom it was taken from.
    private func grant(
        _ unit: Balance?, earlier: BalanceTable.Credit?, of transaction: VerifiedTransaction, userID: String
    ) throws -> String {
        if let earlier, !earlier.isTakenBack { return "" }
        var credit = earlier?.balance
        if credit == nil, let unit {
            let (amount, overflows) = unit.amount.multipliedReportingOverflow(by: Int64(transaction.quantity))
            guard !overflows else { throw BackendError(.wrongQuantity, "No balance can hold so much.") }
            credit = Balance(name: unit.name, amount: amount)
        }
        guard let credit else { return "" }
        let userID = earlier?.userID ?? userID
        let table = BalanceTable(connection)
        try table.add(credit.amount, to: credit.name, userID: userID)
        try table.remember(
            BalanceTable.Credit(userID: userID, balance: credit, isTakenBack: false), of: transaction)
        try AuditTable(connection).note(.credited, of: userID, transaction: transaction, Self.text(credit), at: now)
        return Self.text(credit)
    }

    private func takeBack(_ earlier: BalanceTable.Credit?, of transaction: VerifiedTransaction) throws -> String {
        guard let earlier, !earlier.isTakenBack else { return "" }
        let table = BalanceTable(connection)
        try table.add(-earlier.balance.amount, to: earlier.balance.name, userID: earlier.userID)
        try table.remember(
            BalanceTable.Credit(userID: earlier.userID, balance: earlier.balance, isTakenBack: true), of: transaction)
        try AuditTable(connection).note(
            .creditTakenBack, of: earlier.userID, transaction: transaction, Self.text(earlier.balance), at: now)
        return Self.text(earlier.balance)
    }

    private static func text(_ balance: Balance) -> String { "\(balance.amount) \(balance.name)" }
}
