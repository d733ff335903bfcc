package import StoreDatabase
package import StoreModel
import StoreRules

/// Purchases, and orders that no device asked for, the newest first: for whoever looks for one among many.
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
    /// Only those before this one.
    package var before: PurchaseID?
    package var limit: Int

    package init(
        _ standing: Standing? = nil, customer: CustomerID? = nil, name: String? = nil, before: PurchaseID? = nil,
        limit: Int
    ) {
        self.standing = standing
        self.customer = customer
        self.name = name
        self.before = before
        self.limit = limit
    }

    /// One that was found.
    package struct Found: Sendable {
        package let status: SaleStatus
        package let isFinished: Bool
        /// Whose it is; nil where nobody has signed in yet.
        package let customer: Customer?
    }

    package func run(in transaction: any ReadTransaction) throws -> [Found] {
        let ids = try (ids(of: asked, in: transaction) + ids(of: unasked, in: transaction)).sorted {
            $0.number > $1.number
        }
        var customers: [CustomerID: Customer] = [:]
        return try ids.prefix(limit).map { id in
            let status = try SaleStatus.require(id, in: transaction)
            let owner = try status.terms.customer
            if let owner, customers[owner] == nil { customers[owner] = try Customers.find(owner, in: transaction) }
            return Found(
                status: status,
                isFinished: try status.bought.map { try Transactions.isFinished($0.id, in: transaction) } ?? false,
                customer: owner.flatMap { customers[$0] })
        }
    }

    private func ids(of selection: SQL, in transaction: any ReadTransaction) throws -> [PurchaseID] {
        // A customer has an index; for the others the newest are looked through.
        let values: [DatabaseValue] = [
            before?.databaseValue ?? .integer(.max), .text(name ?? ""), .integer(Int64(limit)),
        ]
        var found: [PurchaseID] = []
        let condition: SQL = " AND sale.id < $1 AND ($2 = '' OR bundle_id = $2 OR product_id = $2)"
        let end: SQL = " ORDER BY sale.id DESC LIMIT $3"
        let statement =
            customer == nil ? selection + condition + end : selection + condition + " AND sale.customer_id = $4" + end
        try transaction.forEachRow(statement, binding: values + (customer.map { [$0.databaseValue] } ?? [])) {
            found.append(try $0.value(0))
        }
        return found
    }

    private var asked: SQL {
        let all: SQL = "SELECT sale.id FROM purchase AS sale WHERE "
        return switch standing {
        case nil: all + "1 = 1"
        case .open: all + Purchase.State.notFinal
        case .failed: all + "state IN ('declined', 'cancelled', 'failed')"
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
        case .failed: all + charge + "state IN ('declined', 'released'))"
        case .bought, .unfinished, .revoked:
            all + "EXISTS " + transaction + " AND " + delivered(transaction)
        }
    }

    /// The condition of what was delivered, by the place of its number.
    private func delivered(_ id: SQL) -> SQL {
        let revoked: SQL = "EXISTS (SELECT 1 FROM transaction_revocation WHERE transaction_id = \(id))"
        return switch standing {
        case .unfinished:
            "NOT \(revoked) AND NOT EXISTS (SELECT 1 FROM transaction_finish WHERE transaction_id = \(id))"
        case .revoked: revoked
        default: "1 = 1"
        }
    }
}

extension Customers {
    /// Accounts of which the address has a text in it, the newest first; with an empty text all.
    package static func search(
        _ text: String, before id: CustomerID?, limit: Int, in transaction: any ReadTransaction
    ) throws -> [Customer] {
        let escaped = text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
        return try transaction.query(
            """
            SELECT \(Customer.columns) FROM customer
            WHERE id < $1 AND deleted_at IS NULL AND email LIKE $2 ESCAPE '\\' ORDER BY id DESC LIMIT $3
            """, id?.number ?? .max, "%\(escaped)%", limit, row: Customer.init)
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
                (SELECT max(id) FROM refund), (SELECT count(*) FROM refund WHERE state = 'refunding'),
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
