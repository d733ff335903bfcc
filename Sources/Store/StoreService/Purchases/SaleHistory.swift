import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// One line of the history of a purchase or an order, and of its charge.
package struct SaleHistoryEntry: Hashable, Sendable {
    package let number: Int64
    package let at: Instant
    package let event: SaleEvent
    package let state: SaleState
    package let detail: String?
    /// Whose act it was: the text of an ``Actor``.
    package let actor: String
    /// The request that brought it about, if one did.
    package let request: String?

    package init(
        number: Int64, at instant: Instant, event: SaleEvent, state: SaleState, detail: String?, actor: String,
        request: String?
    ) {
        self.number = number
        at = instant
        self.event = event
        self.state = state
        self.detail = detail
        self.actor = actor
        self.request = request
    }
}

extension SaleStatus {
    /// Everything that happened, in its order: to the purchase, and while it was paid to its charge.
    package func history(in transaction: any ReadTransaction) throws -> [SaleHistoryEntry] {
        let asked = try transaction.query(
            """
            SELECT at, event, state, detail, actor, request_id FROM purchase_history
            WHERE purchase_id = $1 ORDER BY number
            """, id.purchase, row: Line.init(ofPurchase:))
        let charged = try transaction.query(
            """
            SELECT at, event, state, detail, actor, request_id FROM charge_history WHERE charge_id = $1 ORDER BY number
            """, id.charge
        ) { try Line(ofCharge: $0, endingWith: charge?.rules.failure) }
        let ordering = try transaction.optional("SELECT request_id FROM sale_order WHERE id = $1", id) {
            try $0.value(0, as: String?.self)
        }
        return merged(asked, charged, orderedBy: ordering ?? nil).enumerated().map { index, line in
            SaleHistoryEntry(
                number: Int64(index + 1), at: line.at, event: line.event, state: line.state, detail: line.detail,
                actor: line.actor, request: line.request)
        }
    }

    /// Puts the lines of the charge where the purchase waited for it. The end of a charge is the last line of the purchase
    /// too, and is told once.
    private func merged(_ asked: [Line], _ charged: [Line], orderedBy request: String?) -> [Line] {
        guard let begun = asked.firstIndex(where: \.isBeingPaid) else {
            guard let order, purchase == nil else { return asked }
            return [Line(ordered: order, as: charge == nil ? .purchased : .authorising, by: request)] + charged
        }
        guard let end = charged.firstIndex(where: { !$0.isBeingPaid }), begun + 1 < asked.count else {
            return asked + charged
        }
        var lines = asked
        // The event of the charge, with the state of the purchase.
        lines[begun + 1].event = charged[end].event
        lines.append(contentsOf: charged[(end + 1)...])
        lines.insert(contentsOf: charged[..<end], at: begun + 1)
        return lines
    }

    private struct Line {
        let at: Instant
        var event: SaleEvent
        let state: SaleState
        let detail: String?
        let actor: String
        let request: String?
        /// Whether the charge is under way after it.
        let isBeingPaid: Bool

        init(ofPurchase row: Row) throws {
            try self.init(row) { cells in
                let state = try cells.nextWord(as: Purchase.State.self)
                return (SaleState(state), state == .charging)
            }
        }

        init(ofCharge row: Row, endingWith failure: PurchaseFailure?) throws {
            try self.init(row) { cells in
                let state = try cells.nextWord(as: Charge.State.self)
                // After a decline another card may follow.
                return (SaleState(state, failure: failure), state.isUnderWay || state == .declined)
            }
        }

        private init(
            _ row: Row, _ read: (inout RowCells) throws -> (state: SaleState, isBeingPaid: Bool)
        ) throws {
            var cells = row.cells
            at = try cells.next()
            event = try cells.nextWord()
            (state, isBeingPaid) = try read(&cells)
            detail = try cells.next()
            actor = try cells.next()
            request = try cells.next()
        }

        /// The first line of an order that no device asked for.
        init(ordered order: SaleOrder, as state: SaleState, by request: String?) {
            (at, event, detail, self.request, self.state) = (order.orderedAt, .ordered, nil, request, state)
            actor = order.actor ?? (order.origin == .operator ? Actor.Kind.operator : .store).rawValue
            isBeingPaid = state == .authorising
        }
    }
}

// MARK: Finding

extension SaleStatus {
    /// The word that names the newest purchase.
    package static let last = "last"

    package static func require(_ id: SaleID, in transaction: any ReadTransaction) throws -> SaleStatus {
        guard let found = try SaleStatus(id, in: transaction) else {
            throw ServiceError(.purchaseUnknown, "there is no purchase \(id)")
        }
        return found
    }

    /// The number that a name means: the number itself, that of a transaction, a code, the id of the order or of a request, or
    /// the word `last`.
    package static func number(named name: String, in transaction: any ReadTransaction) throws -> SaleID {
        var found: SaleID?
        if name == last {
            found = try newest(in: transaction)
        } else if let id = TransactionID(name), id.environment != nil {
            found = try Transactions.find(id, in: transaction)?.orderID
        } else if let id = SaleID(name) {
            found = try SaleStatus(id, in: transaction)?.id
        } else if let code = Confirmation.code(typed: name) {
            found = try Purchases.find(code: code, in: transaction)?.id.sale
        } else if let sale = try OrderID(name).flatMap({ try number(order: $0, in: transaction) }) {
            found = sale
        } else {
            found = try number(request: name, in: transaction)
        }
        guard let found else {
            throw ServiceError(
                .purchaseUnknown,
                "there is no purchase of this name; a purchase is named by its number, that of its transaction, its code, "
                    + "the id of its order or of a request, or the word last", parameter: "name")
        }
        return found
    }

    package static func named(_ name: String, in transaction: any ReadTransaction) throws -> SaleStatus {
        try require(number(named: name, in: transaction), in: transaction)
    }

    private static func number(order: OrderID, in transaction: any ReadTransaction) throws -> SaleID? {
        for sale in StoreEnvironment.allCases.compactMap(order.sale) {
            if let found = try Transactions.find(order: sale, in: transaction), found.order == order { return sale }
        }
        return nil
    }

    private static func number(request: String, in transaction: any ReadTransaction) throws -> SaleID? {
        try transaction.query(
            "SELECT purchase_id FROM purchase_history WHERE request_id = $1 ORDER BY purchase_id LIMIT 1", request
        ) { try $0.value(0, as: SaleID.self) }.first ?? SaleOrder.find(request: request, in: transaction)
    }

    private static func newest(in transaction: any ReadTransaction) throws -> SaleID? {
        let asked = try transaction.query("SELECT id FROM purchase ORDER BY id DESC LIMIT 1") {
            try $0.value(0, as: SaleID.self)
        }.first
        let unasked = try SaleOrder.newestUnasked(in: transaction)
        return [asked, unasked].compactMap(\.self).max { $0.number < $1.number }
    }

    /// Purchases, and orders that no device asked for, after one, in their order; of a customer, if one is named.
    ///
    /// - Parameter isWaiting: whether only those are meant that wait for the processor.
    package static func list(
        of customer: CustomerID?, waiting isWaiting: Bool = false, after id: SaleID?, limit: Int,
        in transaction: any ReadTransaction
    ) throws -> [SaleStatus] {
        if isWaiting {
            return try all(
                Charges.underWay(of: customer, after: id?.charge, limit: limit, in: transaction).map(\.sale),
                in: transaction)
        }
        let after = id?.number ?? 0
        let asked = try Purchases.numbers(of: customer, after: after, limit: limit, in: transaction)
        let unasked = try SaleOrder.unasked(of: customer, after: after, limit: limit, in: transaction)
        let first = (asked + unasked).sorted { $0.number < $1.number }.prefix(limit)
        return try all(Array(first), in: transaction)
    }
}

extension Purchases {
    fileprivate static func numbers(
        of customer: CustomerID?, after id: Int64, limit: Int, in transaction: any ReadTransaction
    ) throws -> [SaleID] {
        let row: (Row) throws -> SaleID = { try $0.value(0) }
        guard let customer else {
            return try transaction.query(
                "SELECT id FROM purchase WHERE id > $1 ORDER BY id LIMIT $2", id, limit, row: row)
        }
        return try transaction.query(
            "SELECT id FROM purchase WHERE customer_id = $1 AND id > $2 ORDER BY id LIMIT $3", customer, id, limit,
            row: row)
    }
}

// MARK: Refusals

extension SaleStatus {
    /// What was tried with a purchase that does not wait for it.
    // Closed: only the texts of refusals switch over it.
    package enum Act: Sendable {
        case confirmed, settled, settledAsVoided, cancelled, approved, refused
    }
}

extension ServiceError {
    /// The refusal of something that a purchase does not wait for: what was wanted, how the purchase stands, and since
    /// when.
    package init(tooLate act: SaleStatus.Act, for status: SaleStatus) {
        let wanted =
            switch act {
            case .confirmed: "confirmed"
            case .settled: "settled, which is for purchases that are interrupted"
            case .settledAsVoided:
                "settled as voided, which is for purchases whose money the processor does not let go of, or gives no word of"
            case .cancelled: "cancelled"
            case .approved: "approved"
            case .refused: "refused as its approver"
            }
        // Whoever looks after the store may play the bank of a test.
        let isLookedAfter = act == .settled || act == .cancelled
        let bank = isLookedAfter ? status.waitingAtBank : nil
        self.init(
            .tooLate,
            "purchase \(status.id) cannot be \(wanted): \(Self.stateText(status)) since \(status.changedAt.rfc3339)"
                + (bank.map { "; to play the bank of the test processor: till processor act \($0)" } ?? ""))
    }

    private static func stateText(_ status: SaleStatus) -> String {
        let reason = status.failure.map { " (\($0.rawValue.replacing("declined:", with: "")))" } ?? ""
        // What the processor is still asked for counts more than that the purchase is over.
        let charge = status.charge.flatMap { $0.state.isUnderWay ? SaleState($0.state, failure: nil) : nil }
        return switch charge ?? status.state {
        case .authorising, .capturing: "the processor has been asked for the money"
        case .action: "it has waited for the customer at the bank"
        case .choosing: "its payment has been declined\(reason), and it has waited for another card"
        case .voiding: "the processor has been asked to let go of the money\(reason)"
        case .signIn: "it has waited for somebody to sign in"
        case .confirmation: "it has waited for a yes"
        case .interrupted: "it has waited for the customer to settle something with the store"
        case .approval: "it has waited for an approval"
        case .purchased:
            "it has been paid" + (status.bought.map { " with transaction \($0.id), which can be refunded," } ?? "")
        case .declined: "its payment has been declined\(reason)"
        case .cancelled: "it has been cancelled"
        case .failed: "it has failed\(reason)"
        }
    }
}
