import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// What the operator, the store and the test kit do with purchases.
extension Checkout {
    /// Confirms a purchase, as its approver, on its page, or after an interruption was settled.
    ///
    /// - Parameters:
    ///   - payment: how the customer pays who says yes on the page; nil for a yes elsewhere.
    ///   - act: what a refusal says cannot be done.
    package func confirm(
        _ id: SaleID, on payment: PagePayment? = nil, as act: SaleStatus.Act = .confirmed, _ cause: ChangeCause,
        if isWanted: @escaping @Sendable (StoredPurchase, any ReadTransaction) throws -> Bool
    ) async throws -> SaleStatus {
        let drawn = try await store.draw()
        return try await change(id, as: act, cause) { purchase, change in
            guard try isWanted(purchase, change.transaction) else { return }
            _ = try Self.handling(.confirmed, purchase, change) {
                try Purchases.confirm(purchase, on: payment, drawn, change)
            }
        }
    }

    /// Pays with another card after one was declined on the page; gives up where it cannot be bought any more.
    ///
    /// - Parameter attempt: the one that was declined. Whoever presses twice pays once.
    package func payAgain(
        _ id: SaleID, after attempt: Int, with method: PaymentMethod, _ cause: ChangeCause
    ) async throws -> SaleStatus {
        try await change(id, cause) { purchase, change in
            guard let charge = try Charges.find(id.charge, in: change.transaction), charge.rules.awaitsChoice,
                charge.rules.attempt == attempt
            else { return }
            guard try Purchases.canBePaid(purchase, with: method, change) else {
                _ = try Charges.handle(.givenUp, of: charge, change)
                return
            }
            _ = try Charges.tryAgain(charge, paidWith: method, change)
        }
    }

    /// Settles what has interrupted a purchase.
    package func settleInterruption(of name: String, _ cause: ChangeCause) async throws -> SaleStatus {
        let id = try await store.database.read { try SaleStatus.number(named: name, in: $0) }
        return try await confirm(id, as: .settled, cause) { purchase, transaction in
            guard purchase.state == .interrupted else {
                throw ServiceError(tooLate: .settled, for: try SaleStatus.require(id, in: transaction))
            }
            return true
        }
    }

    /// Says no for the customer.
    package func cancel(named name: String, _ cause: ChangeCause) async throws -> SaleStatus {
        let id = try await store.database.read { try SaleStatus.number(named: name, in: $0) }
        return try await cancel(id, cause)
    }

    package func cancel(_ id: SaleID, _ cause: ChangeCause) async throws -> SaleStatus {
        try await change(id, as: .cancelled, cause) { purchase, change in _ = try Self.cancel(purchase, change) }
    }

    /// Says no to what is still asked, a yes or another card; a purchase that is being paid goes on.
    func cancelUnanswered(_ id: SaleID, _ cause: ChangeCause) async throws {
        _ = try await change(id, cause) { purchase, change in
            let charge =
                purchase.state == .charging ? try Charges.find(id.charge, in: change.transaction) : nil
            guard purchase.state.isOpen || charge?.rules.awaitsChoice == true else { return }
            _ = try Self.cancel(purchase, change)
        }
    }

    /// Changes a purchase, and drives what is to be charged then. An order without one is refused.
    ///
    /// - Parameter act: what the refusal says cannot be done.
    func change(
        _ id: SaleID, as act: SaleStatus.Act = .confirmed, _ cause: ChangeCause,
        _ body: @escaping @Sendable (StoredPurchase, Change) throws -> Void
    ) async throws -> SaleStatus {
        let (charge, isFirst) = try await store.afterAdvance {
            try await store.database.write(isolation: .snapshot) { transaction in
                let status = try SaleStatus.require(id, in: transaction)
                guard let purchase = status.purchase else {
                    throw ServiceError(tooLate: act, for: status)
                }
                try body(purchase, cause.change(of: purchase.customer, in: transaction))
                let charge = try Charges.find(id.charge, in: transaction)
                return (charge, charge?.state != status.charge?.state)
            }
        }
        if let charge, charge.state.awaitsProcessor { _ = try await charges.drive(charge, isFirst: isFirst, cause) }
        return try await store.database.read { try SaleStatus.require(id, in: $0) }
    }

    /// Ends a purchase that nobody confirmed or approved in time.
    ///
    /// - Parameters:
    ///   - instant: the moment by the clock.
    ///   - clock: that by which the purchase was due.
    /// - Returns: when to look again by the same clock; nil if it is not looked after by that any more.
    package func expire(_ id: PurchaseID, at instant: Instant, by clock: ClockID) async throws -> Instant? {
        let cause = clock == .wall ? store.cause(.store) : store.cause(.store).at(instant)
        return try await store.database.write(isolation: .snapshot) { transaction -> Instant? in
            guard let purchase = try Purchases.find(id, in: transaction), purchase.state.waitsForPerson else {
                return nil
            }
            let change = try cause.change(of: purchase.customer, in: transaction)
            guard Purchases.clock(of: purchase, change) == clock else {
                // Its customer has a clock of its own since.
                try Purchases.schedule(purchase, change)
                return nil
            }
            guard purchase.isOver(at: change.times) else { return purchase.expiresAt }
            try Purchases.handle(.expired, of: purchase, change)
            return nil
        }
    }

    static func cancel(_ purchase: StoredPurchase, _ change: Change) throws -> StoredPurchase {
        guard purchase.state == .charging,
            let charge = try Charges.find(purchase.id.sale.charge, in: change.transaction)
        else {
            return try handling(.cancelled, purchase, change) { try Purchases.handle(.cancelled, of: purchase, change) }
        }
        // What was asked a moment ago has its answer soon.
        guard charge.state != .authorising || charge.hasWaited(for: ChargeLimits.inquiry, at: change.wall) else {
            throw ServiceError(
                tooLate: .cancelled, for: try SaleStatus.require(purchase.id.sale, in: change.transaction))
        }
        // The end of the charge decides what becomes of the purchase.
        return try handling(.cancelled, purchase, change) {
            _ = try Charges.handle(.cancelled, of: charge, change)
            return try Purchases.require(purchase.id, in: change.transaction)
        }
    }

    /// Says as a refusal what a purchase or a charge does not wait for.
    static func handling(
        _ act: SaleStatus.Act, _ purchase: StoredPurchase, _ change: Change, _ body: () throws -> StoredPurchase
    ) throws -> StoredPurchase {
        do {
            return try body()
        } catch let error where error is PurchaseError || error is ChargeError {
            throw ServiceError(tooLate: act, for: try SaleStatus.require(purchase.id.sale, in: change.transaction))
        }
    }
}
