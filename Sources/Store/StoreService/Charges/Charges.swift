import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// The charges of an environment, and what becomes of them, in one transaction each.
package enum Charges {
    /// The kind of work that looks after charges that nothing drives any more.
    package static let work = "charge"
    /// The kind of work that watches for an authorisation that arrives after its charge was released.
    package static let lateWork = "late-authorisation"

    package static func find(_ id: ChargeID, in transaction: any ReadTransaction) throws -> StoredCharge? {
        try transaction.optional(
            "SELECT \(StoredCharge.table.columns) FROM charge WHERE id = $1", id, row: StoredCharge.init)
    }

    /// The charges with these numbers.
    static func find(
        all ids: some Sequence<ChargeID>, in transaction: any ReadTransaction
    ) throws -> [ChargeID: StoredCharge] {
        let found = try transaction.query(
            "SELECT \(StoredCharge.table.columns) FROM charge WHERE id IN \(.numbers)", of: ids, row: StoredCharge.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    /// When the processor is asked again about a charge; nil if that is not scheduled.
    static func inquiry(about id: ChargeID, in transaction: any ReadTransaction) throws -> Instant? {
        try WorkTable.dueAt(work, id.description, clock: .wall, in: transaction)
    }

    /// The same of several; those about which it is not asked are left out.
    static func inquiries(
        about ids: [ChargeID], in transaction: any ReadTransaction
    ) throws -> [ChargeID: Instant] {
        let found = try transaction.query(
            """
            SELECT charge.id, work.due_at FROM charge
                JOIN work ON work.clock_id = $2 AND work.kind = $3 AND work.subject = CAST(charge.id AS TEXT)
            WHERE charge.id IN \(.numbers)
            """, of: ids, ClockID.wall, work
        ) { row in
            var cells = row.cells
            return (try cells.next(as: ChargeID.self), try cells.next(as: Instant.self))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    package static func require(_ id: ChargeID, in transaction: any ReadTransaction) throws -> StoredCharge {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.chargeUnknown, "there is no charge \(id)")
        }
        return found
    }

    /// Those that wait for the processor, the oldest first; at most `limit` after one.
    package static func underWay(
        of customer: CustomerID? = nil, after id: ChargeID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [ChargeID] {
        guard let customer else {
            return try transaction.query(awaitingProcessor, id?.number ?? 0, limit) { try $0.value(0) }
        }
        return try transaction.query(
            """
            SELECT id FROM charge WHERE \(Charge.State.underWay) AND state <> \(Charge.State.action.literal) AND id > $1
                AND customer_id = $3 ORDER BY id LIMIT $2
            """, id?.number ?? 0, limit, customer
        ) { try $0.value(0) }
    }

    /// SQLite uses an index of some rows only for a query with its condition; what waits for the customer is left out besides.
    package static let awaitingProcessor: SQL = """
        SELECT id FROM charge WHERE \(Charge.State.underWay) AND state <> \(Charge.State.action.literal) AND id > $1
        ORDER BY id LIMIT $2
        """

    /// Whether a charge for what is owned once is under way.
    static func isBeingPaid(
        _ item: ItemID, by customer: CustomerID, in transaction: any ReadTransaction
    ) throws -> Bool {
        try transaction.value(
            """
            SELECT count(*) FROM charge WHERE customer_id = $1 AND item_id = $2 AND is_owned_once = 1
                AND \(Charge.State.underWay)
            """, customer, item, as: Int.self) > 0
    }

    /// A charge as it is now, with what a change of it has to know of its customer.
    struct Current {
        let charge: StoredCharge
        let clock: CustomerClock?
        let isCustomerGone: Bool
    }

    /// - Parameter known: the charge as it was read before; read again only if its history has grown since.
    static func current(_ known: StoredCharge, in transaction: any ReadTransaction) throws -> Current {
        let (lines, clock, isGone) = try transaction.one(
            """
            SELECT charge.history_count, customer.deleted_at, \(CustomerClock.columns)
            FROM charge JOIN customer ON customer.id = charge.customer_id \(CustomerClock.join) WHERE charge.id = $1
            """, known.id
        ) { row in
            var cells = row.cells
            let (lines, deletedAt) = (try cells.next(as: Int.self), try cells.next(as: Instant?.self))
            return (lines, try CustomerClock(&cells), deletedAt != nil)
        }
        let charge = lines == known.historyCount ? known : try require(known.id, in: transaction)
        return Current(charge: charge, clock: clock, isCustomerGone: isGone)
    }

    /// Opens the charge of an order, whose first authorisation is to be asked for next.
    ///
    /// It rests on what the customer owns and may do, so the customer's row changes too: see ``Checkout``.
    package static func open(
        _ order: SaleOrder, paidWith method: PaymentMethod, by payer: CustomerID? = nil, isAttended: Bool,
        isOnPage: Bool = false, _ change: Change
    ) throws -> StoredCharge {
        let charge = StoredCharge(
            order, paidWith: method, by: payer, rules: Charge(isAttended: isAttended, isOnPage: isOnPage),
            life: try ProcessorKeys.life(in: change.transaction), at: change.times)
        try Customers.claim(charge.customer, in: change.transaction)
        try change.transaction.insert(charge, into: StoredCharge.table)
        try scheduleInquiry(of: charge, change)
        return charge
    }

    /// Takes in what happened to a charge: keeps the state, and in the same transaction everything that comes of it.
    ///
    /// - Parameter drawn: for events that may sell: see ``Charge/Event/maySell``.
    /// - Returns: the charge, and what its driver has to do next.
    package static func handle(
        _ event: Charge.Event, of charge: StoredCharge, with drawn: Drawn? = nil, _ change: Change
    ) throws -> (charge: StoredCharge, actions: [Charge.Action]) {
        var rules = charge.rules
        let actions = try rules.handle(event)
        let changed = try keep(rules, of: charge, event, change)
        for action in actions {
            switch action {
            case .settle(let outcome):
                try Sales.settle(outcome, of: changed, with: drawn, change)
            case .tell:
                try Sales.reportAction(of: changed, change)
            case .watchForLateAuthorisation:
                try WorkTable.schedule(
                    Work(
                        lateWork, charge.id.description, dueAt: change.wall + ChargeLimits.asking, clock: .wall),
                    in: change.transaction)
            case .authorise, .inquire, .capture, .void: break
            }
        }
        return (changed, actions.filter(\.isOfDriver))
    }

    /// Begins another attempt after a decline, which the driver asks the processor for next.
    ///
    /// - Parameter payer: who pays by now; nil for who was to pay before.
    package static func tryAgain(
        _ charge: StoredCharge, paidWith method: PaymentMethod, by payer: CustomerID? = nil, _ change: Change
    ) throws -> StoredCharge {
        var charge = charge
        charge.pay(with: method, by: payer ?? charge.payer)
        // What the customer may buy by now was looked at, as when a charge is opened.
        if charge.rules.isAttended { try Customers.claim(charge.customer, in: change.transaction) }
        return try handle(.triedAgain, of: charge, change).charge
    }

    private static func keep(
        _ rules: Charge, of charge: StoredCharge, _ event: Charge.Event, _ change: Change
    ) throws -> StoredCharge {
        let changed = charge.changed(to: rules, at: change.times)
        try change.transaction.update(changed, from: charge, in: StoredCharge.table)
        if rules.state.isUnderWay {
            try scheduleInquiry(of: changed, change)
        } else if rules.awaitsChoice {
            try WorkTable.schedule(
                Work(work, charge.id.description, dueAt: changed.expiresAt, clock: .wall), in: change.transaction)
        } else {
            try WorkTable.cancel(work, charge.id.description, clock: .wall, in: change.transaction)
        }
        try record(event.word, of: changed, detail: rules.failure?.rawValue, change)
        return changed
    }

    private static func scheduleInquiry(of charge: StoredCharge, _ change: Change) throws {
        try WorkTable.schedule(
            Work(work, charge.id.description, dueAt: change.wall + ChargeLimits.inquiry, clock: .wall),
            in: change.transaction)
    }

    /// Writes a line of a charge's history, the one that its count includes already.
    private static func record(
        _ event: SaleEvent, of charge: StoredCharge, detail: String?, _ change: Change
    ) throws {
        try History.charges.append(
            event.rawValue, to: charge.id, number: charge.historyCount, detail: detail,
            ["state": charge.state.rawValue, "attempt": charge.rules.attempt], change)
    }

    /// Adds a line to the history of a charge that stays as it is.
    static func add(_ event: SaleEvent, to id: ChargeID, detail: String?, _ change: Change) throws {
        let charge = try change.transaction.one(
            "UPDATE charge SET history_count = history_count + 1 WHERE id = $1 RETURNING \(StoredCharge.table.columns)",
            id,
            row: StoredCharge.init)
        try record(event, of: charge, detail: detail, change)
    }

    /// Reserves an amount of a captured charge for a refund; false if so much is not left.
    static func reserve(_ amount: Money, of id: ChargeID, in transaction: any WriteTransaction) throws -> Bool {
        try transaction.execute(
            """
            UPDATE charge SET refunded = refunded + $2
            WHERE id = $1 AND state = \(Charge.State.captured.literal) AND currency = $3 AND refunded + $2 <= amount
            """, id, amount.minorUnits, amount.currency) == 1
    }

    /// Gives back what a refund had reserved and did not use.
    static func release(_ amount: Money, of id: ChargeID, in transaction: any WriteTransaction) throws {
        try transaction.execute(
            "UPDATE charge SET refunded = refunded - $2 WHERE id = $1", id, amount.minorUnits)
    }
}

extension Charge.Action {
    /// Whether the driver carries it out with the processor, after the state was kept.
    var isOfDriver: Bool {
        switch self {
        case .authorise, .inquire, .capture, .void: true
        case .settle, .tell, .watchForLateAuthorisation: false
        }
    }
}

/// What was drawn before a transaction that may sell something.
package struct Drawn: Sendable {
    package let transaction: TransactionID
    package let orderLine: WebOrderLineItemID
    package let ledgerEntry: LedgerEntryID
    /// The code of a purchase that has to be asked again at another price.
    let code: String
    /// What the store keeps of a price.
    package let commission: Proportion

    package init(
        transaction: TransactionID, orderLine: WebOrderLineItemID, ledgerEntry: LedgerEntryID, commission: Proportion,
        code: String
    ) {
        self.code = code
        self.transaction = transaction
        self.orderLine = orderLine
        self.ledgerEntry = ledgerEntry
        self.commission = commission
    }
}

/// A charge as it is kept: the money of an order.
package struct StoredCharge: Hashable, Sendable {
    package let id: ChargeID
    /// Who gets what is paid for.
    package let customer: CustomerID
    /// Who pays: the customer, or the organiser of the family for a child.
    package private(set) var payer: CustomerID
    package let item: ItemID
    package let isOwnedOnce: Bool
    /// What is paid with.
    package private(set) var paymentMethod: PaymentMethodID?
    /// What the customer reads on the bank statement.
    package let description: String
    package let amount: Money
    /// What refunds have given back, or are about to.
    package let refunded: Money
    /// The life of the database in which it was opened: see ``ProcessorKeys``.
    package let life: String?
    package let openedAt: Instant
    package private(set) var changedAt: Instant
    /// By the wall clock: until when the processor is asked to authorise, the customer may act at the bank, or may choose
    /// another card.
    package private(set) var expiresAt: Instant
    package private(set) var historyCount: Int
    package private(set) var rules: Charge

    package var state: Charge.State { rules.state }

    /// What refunds give back is written by ``Charges/reserve(_:of:in:)`` and ``Charges/release(_:of:in:)`` alone after that.
    static let table = RowTable<StoredCharge>("charge") {
        Column("id", .key) { $0.id }
        Column("customer_id") { $0.customer }
        Column("payer_id", .changing) { $0.payer }
        Column("item_id") { $0.item }
        Column("is_owned_once") { $0.isOwnedOnce }
        Column("payment_method_id", .changing) { $0.paymentMethod }
        Column("description") { $0.description }
        Column("amount") { $0.amount.minorUnits }
        Column("currency") { $0.amount.currency }
        Column("refunded") { $0.refunded.minorUnits }
        Column("life") { $0.life }
        Column("opened_at") { $0.openedAt }
        Column("changed_at", .changing) { $0.changedAt }
        Column("expires_at", .changing) { $0.expiresAt }
        Column("history_count", .version) { $0.historyCount }
        Column("is_attended") { $0.rules.isAttended }
        Column("is_on_page") { $0.rules.isOnPage }
        Column("state", .changing) { $0.rules.state.rawValue }
        Column("failure", .changing) { $0.rules.failure?.rawValue }
        Column("attempt", .changing) { $0.rules.attempt }
        Column("authorisation", .changing) { $0.rules.authorisation }
        Column("capture", .changing) { $0.rules.capture }
        Column("action_url", .changing) { $0.rules.actionURL }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        customer = try cells.next()
        payer = try cells.next()
        item = try cells.next()
        isOwnedOnce = try cells.next()
        paymentMethod = try cells.next()
        description = try cells.next()
        amount = try cells.nextMoney()
        refunded = Money(minorUnits: try cells.next(), currency: amount.currency)
        life = try cells.next()
        openedAt = try cells.next()
        changedAt = try cells.next()
        expiresAt = try cells.next()
        historyCount = try cells.next()
        let isAttended = try cells.next(as: Bool.self)
        let isOnPage = try cells.next(as: Bool?.self) ?? false
        guard let state = Charge.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a charge is in a state that this version does not know")
        }
        rules = Charge(
            state: state, failure: try cells.next(as: String?.self).map(PurchaseFailure.init),
            attempt: try cells.next(), authorisation: try cells.next(), capture: try cells.next(),
            actionURL: try cells.next(), isAttended: isAttended, isOnPage: isOnPage)
    }

    /// The charge of an order, about to be opened.
    init(
        _ order: SaleOrder, paidWith method: PaymentMethod, by payer: CustomerID?, rules: Charge,
        life: String?, at times: StoreTimes
    ) {
        id = order.id.charge
        customer = order.scope.customer
        self.payer = payer ?? order.scope.customer
        item = order.item.id
        isOwnedOnce = order.item.kind.isOwnedOnce
        paymentMethod = method.id
        description = "\(order.scope.bundle) \(order.item.product)"
        amount = order.total
        refunded = .zero(order.total.currency)
        self.life = life
        openedAt = times.commerce
        changedAt = times.commerce
        expiresAt = times.wall + ChargeLimits.asking + ChargeLimits.silence
        historyCount = 0
        self.rules = rules
    }

    /// Whether the processor was asked to authorise so long ago.
    func hasWaited(for time: Duration, at wall: Instant) -> Bool {
        wall >= expiresAt - ChargeLimits.asking - ChargeLimits.silence + time
    }

    /// Notes what the next attempt is paid with and by whom; it is kept with the next change.
    mutating func pay(with method: PaymentMethod, by payer: CustomerID) {
        (paymentMethod, self.payer) = (method.id, payer)
    }

    /// The charge after something happened, with one more line in its history.
    func changed(to rules: Charge, at times: StoreTimes) -> StoredCharge {
        var changed = self
        changed.rules = rules
        changed.changedAt = times.commerce
        changed.historyCount += 1
        switch rules.state {
        case .action: changed.expiresAt = times.wall + ChargeLimits.action
        case .authorising: changed.expiresAt = times.wall + ChargeLimits.asking + ChargeLimits.silence
        case .declined where rules.isOnPage: changed.expiresAt = times.wall + ChargeLimits.choice
        default: break
        }
        return changed
    }
}
