package import StoreDatabase
package import StoreModel
import StoreRules

/// Purchases, and orders that no device asked for, the newest or the oldest first: for whoever looks for one among many.
///
/// A customer has an index. Everything else is looked for in so many numbers at a time, so that a search that finds nothing
/// is no slower than one that finds much; ``Page/next`` says where to look on.
package struct SaleSearch: Hashable, Sendable {
    /// How those stand that are meant.
    // Closed: each has its condition.
    package enum Standing: String, CaseIterable, Sendable {
        /// They wait for somebody, or for the processor.
        case open
        /// Something was delivered.
        case bought
        /// It was delivered, and no app has finished it.
        case unfinished
        /// It was taken back.
        case revoked
        /// They came to nothing.
        case failed
    }

    package var standing: Standing?
    package var customer: CustomerID?
    /// The bundle id of an app, or the id of a product.
    package var name: String?
    /// When they were wanted.
    package var period = ReportPeriod.always
    /// What they cost.
    package var amount = AmountRange.any
    /// Only those that follow this one.
    package var after: SaleID?
    package var isOldestFirst: Bool
    package var limit: Int

    /// How many numbers are looked through at a time.
    package var window = Self.usualWindow
    package static let usualWindow: Int64 = 30_000
    /// A window with all numbers.
    static let allNumbers: Int64 = 1 << 60

    package init(
        _ standing: Standing? = nil, customer: CustomerID? = nil, name: String? = nil, after: SaleID? = nil,
        isOldestFirst: Bool = false, limit: Int
    ) {
        self.standing = standing
        self.customer = customer
        self.name = name
        self.after = after
        self.isOldestFirst = isOldestFirst
        self.limit = limit
    }

    /// One that was found.
    package struct Found: Sendable {
        package let status: SaleStatus
        package let isFinished: Bool
        /// Whose it is; nil where nobody has signed in yet.
        package let customer: Customer?
    }

    /// Some of them, and where those begin that follow.
    package struct Page: Sendable {
        package let found: [Found]
        /// After which the next ones are; nil if none follow.
        package let next: SaleID?
        /// Whether more numbers are to be looked through, in which there may be some or none.
        package let isCut: Bool
    }

    package func run(in transaction: any ReadTransaction) throws -> Page {
        let numbers = try numbers(in: transaction)
        let ids = try
            (ids(of: asked, at: "opened_at", numbers, in: transaction)
            + ids(of: unasked, at: "ordered_at", numbers, in: transaction)).sorted {
                isOldestFirst ? $0.number < $1.number : $0.number > $1.number
            }
        let sales = try SaleStatus.all(Array(ids.prefix(limit)), in: transaction)
        let finished = try Transactions.finishedAt(all: sales.compactMap { $0.bought?.id }, in: transaction)
        let customers = try Customers.find(all: sales.compactMap { try $0.terms.customer }, in: transaction)
        let found = try sales.map { status in
            Found(
                status: status, isFinished: status.bought.map { finished[$0.id] != nil } ?? false,
                customer: try status.terms.customer.flatMap { customers[$0] })
        }
        guard limit > 0, ids.count <= limit else {
            return Page(found: found, next: found.last?.status.id, isCut: false)
        }
        let rest = try rest(beyond: numbers, in: transaction)
        return Page(found: found, next: rest, isCut: rest != nil)
    }

    /// The numbers that are looked through.
    private func numbers(in transaction: any ReadTransaction) throws -> ClosedRange<Int64> {
        let first = isOldestFirst ? min(after?.number ?? 0, .max - 1) + 1 : 0
        let last = isOldestFirst ? Int64.max : (after?.number ?? .max) - 1
        // What is open has indexes, and all of it is meant.
        let isNarrow =
            customer == nil
            && (name != nil || period != .always || amount != .any || (standing != nil && standing != .open))
        guard isNarrow, first <= last,
            let start = try Self.end(of: first...last, isFirst: isOldestFirst, in: transaction)
        else { return first...max(first, last) }
        return isOldestFirst
            ? start...max(start, min(last, start &+ window - 1)) : max(first, start - window + 1)...start
    }

    /// After which the next numbers are to be looked through; nil if there are none.
    private func rest(beyond numbers: ClosedRange<Int64>, in transaction: any ReadTransaction) throws -> SaleID? {
        let outside =
            isOldestFirst
            ? (numbers.upperBound < .max ? numbers.upperBound + 1...Int64.max : nil)
            : (numbers.lowerBound > 0 ? 0...numbers.lowerBound - 1 : nil)
        guard let outside, let next = try Self.end(of: outside, isFirst: isOldestFirst, in: transaction) else {
            return nil
        }
        return try SaleID(number: isOldestFirst ? next - 1 : next + 1)
    }

    /// The first or the last number in a range that a purchase or an order has; nil if none has.
    private static func end(
        of range: ClosedRange<Int64>, isFirst: Bool, in transaction: any ReadTransaction
    ) throws -> Int64? {
        let end: SQL = isFirst ? "min(id)" : "max(id)"
        return try transaction.one(
            """
            SELECT (SELECT \(end) FROM purchase WHERE id >= $1 AND id <= $2),
                (SELECT \(end) FROM sale_order WHERE origin <> 'purchase' AND id >= $1 AND id <= $2)
            """, range.lowerBound, range.upperBound
        ) { row in
            var cells = row.cells
            let ends = [try cells.next(as: Int64?.self), try cells.next(as: Int64?.self)].compactMap(\.self)
            return isFirst ? ends.min() : ends.max()
        }
    }

    /// - Parameter at: the column of when they were wanted.
    private func ids(
        of selection: SQL, at: SQL, _ numbers: ClosedRange<Int64>, in transaction: any ReadTransaction
    ) throws -> [SaleID] {
        let (first, end) = period.bounds
        // One more than are shown tells whether any follow.
        let values: [DatabaseValue] = [
            .integer(numbers.lowerBound), .integer(numbers.upperBound), .text(name ?? ""), .integer(Int64(limit) + 1),
            customer?.databaseValue ?? .integer(0), .integer(first), .integer(end),
            .text(amount.currency?.code ?? ""), .integer(amount.bounds.first), .integer(amount.bounds.last),
        ]
        var found: [SaleID] = []
        // A condition on the customer alone is one of an index.
        let ofCustomer: SQL = customer == nil ? "$5 = 0" : "sale.customer_id = $5"
        let condition: SQL = """
             AND sale.id >= $1 AND sale.id <= $2 AND ($3 = '' OR bundle_id = $3 OR product_id = $3) AND \(ofCustomer)
                AND sale.\(at) >= $6 AND sale.\(at) < $7
                AND ($8 = '' OR sale.currency = $8 AND sale.total >= $9 AND sale.total <= $10)
            """
        let order: SQL = isOldestFirst ? " ORDER BY sale.id LIMIT $4" : " ORDER BY sale.id DESC LIMIT $4"
        try transaction.forEachRow(selection + condition + order, binding: values) { found.append(try $0.value(0)) }
        return found
    }

    private var asked: SQL {
        let all: SQL = "SELECT sale.id FROM purchase AS sale WHERE "
        return switch standing {
        case nil: all + "1 = 1"
        case .open: all + Purchase.State.notFinal
        case .failed: all + Purchase.State.condition { $0.isFinal && $0 != .purchased }
        case .bought, .unfinished, .revoked: all + "transaction_id IS NOT NULL AND " + delivered("sale.transaction_id")
        }
    }

    private var unasked: SQL {
        let all: SQL = "SELECT sale.id FROM sale_order AS sale WHERE origin <> 'purchase' AND "
        let charge: SQL = "EXISTS (SELECT 1 FROM charge WHERE charge.id = sale.id AND "
        let transaction: SQL = "(SELECT id FROM store_transaction WHERE order_id = sale.id)"
        return switch standing {
        case nil: all + "1 = 1"
        case .open: all + charge + Charge.State.underWay + ")"
        case .failed: all + charge + Charge.State.condition { !$0.isUnderWay && $0 != .captured } + ")"
        case .bought, .unfinished, .revoked:
            all + "EXISTS " + transaction + " AND " + delivered(transaction)
        }
    }

    /// The condition of what was delivered, by the place of its number.
    private func delivered(_ id: SQL) -> SQL {
        let revoked: SQL = "EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = \(id))"
        return switch standing {
        case .unfinished:
            // Nearly all are finished, so that is asked first.
            "NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = \(id)) AND NOT \(revoked)"
        case .revoked: revoked
        default: "1 = 1"
        }
    }
}

extension Customers {
    /// By what accounts are sorted.
    // Closed: the time has an index, and for the address all are looked through, as they are for a part of it.
    package enum Order: String, Sendable {
        case email, made
    }

    /// Accounts of which the address has a text in it; with an empty text all.
    ///
    /// - Parameter id: only those that follow this one.
    package static func search(
        _ text: String, by order: Order = .made, isDescending: Bool = true, madeIn period: ReportPeriod = .always,
        after id: CustomerID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Customer] {
        let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
        let isFirst = id == nil
        let following: SQL =
            switch (order, isDescending) {
            case (.made, true): "id < $2"
            case (.made, false): "id > $2"
            case (.email, _) where isFirst: "$2 = 0"
            case (.email, true): "(email, id) < (SELECT email, id FROM customer WHERE id = $2)"
            case (.email, false): "(email, id) > (SELECT email, id FROM customer WHERE id = $2)"
            }
        let end: SQL =
            switch (order, isDescending) {
            case (.made, true): "id DESC"
            case (.made, false): "id"
            case (.email, true): "email DESC, id DESC"
            case (.email, false): "email, id"
            }
        let start: Int64 = order == .made && isDescending ? .max : 0
        return try transaction.query(
            """
            SELECT \(Customer.columns) FROM customer
            WHERE \(following) AND deleted_at IS NULL AND email LIKE $1 ESCAPE '\\'
                AND created_at >= $4 AND created_at < $5 ORDER BY \(end) LIMIT $3
            """, "%\(escaped)%", id?.number ?? start, limit, period.bounds.first, period.bounds.end, row: Customer.init)
    }
}

extension SaleStatus {
    /// How many purchases wait for something.
    package static func openCount(in transaction: any ReadTransaction) throws -> Int {
        try transaction.value("SELECT count(*) FROM purchase WHERE \(Purchase.State.notFinal)", as: Int.self)
    }

    /// What distinguishes the books of now from those of before, for whoever waits for something to happen.
    package static func pulse(in transaction: any ReadTransaction) throws -> String {
        let parts = try transaction.one(
            """
            SELECT (SELECT max(id) FROM purchase), (SELECT max(id) FROM sale_order), (SELECT max(id) FROM store_transaction),
                (SELECT count(*) FROM purchase WHERE \(Purchase.State.notFinal)),
                (SELECT max(id) FROM refund), (SELECT count(*) FROM refund WHERE state = \(Refund.State.refunding.literal)),
                (SELECT max(transaction_id) FROM transaction_finish),
                (SELECT count(*) FROM charge WHERE \(Charge.State.underWay)), (SELECT max(id) FROM device)
            """
        ) { row in
            var cells = row.cells
            return try (0..<9).map { _ in try cells.next(as: Int64?.self).map(String.init) ?? "" }
        }
        return parts.joined(separator: ".")
    }
}
