import StoreCatalogue
import StoreDatabase
import StoreModel

/// One search among the people of an environment and what they bought. It makes as many statements whatever there is.
struct SaleFinder {
    let text: String
    let limit: Int
    let environment: StoreEnvironment
    let transaction: any ReadTransaction

    func groups() throws -> [FoundThing.Group] {
        let beginning = NumberBeginning(text)
        let customers = try customers(beginning)
        let transactions = try transactions(beginning)
        let found: [(FoundThing.Kind, [FoundThing])] = [
            (.customer, customers.map(Self.thing)), (.family, try families(of: customers)),
            (.device, try devices(beginning)), (.transaction, try things(transactions)),
            (.purchase, try purchases(beginning)), (.subscription, try subscriptions(of: transactions)),
        ]
        return found.compactMap { FoundThing.Group($0, $1, limit: limit) }
    }

    // MARK: People

    private func customers(_ beginning: NumberBeginning?) throws -> [Customer] {
        let numbers = try beginning?.find(Self.customerIDs, limit: limit + 1, in: transaction) ?? []
        let named = try NameWords.find(text, .customer, limit: limit + 1, in: transaction).compactMap { Int64($0) }
        let ids = try (numbers + named.filter { !numbers.contains($0) }).map { try CustomerID(number: $0) }
        let found = try Customers.find(all: ids, in: transaction)
        return ids.compactMap { found[$0] }
    }

    private static let customerIDs = NumberBeginning.Place(
        bounds: "SELECT min(id), max(id) FROM customer",
        numbers: "SELECT id FROM customer WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3")

    private static func thing(_ customer: Customer) -> FoundThing {
        let name = customer.deletedAt == nil ? customer.name : "deleted"
        let detail = name == customer.email ? "" : customer.email
        return FoundThing(.customer, "\(customer.id)", name, detail: detail)
    }

    /// The families of some people.
    private func families(of customers: [Customer]) throws -> [FoundThing] {
        let rows = try transaction.query(
            """
            SELECT family.id, family.organiser_id, customer.email FROM family_member
            JOIN family ON family.id = family_member.family_id
            JOIN customer ON customer.id = family.organiser_id
            WHERE family_member.customer_id IN \(.numbers) ORDER BY family.id
            """, of: customers.map(\.id)
        ) { row in
            var cells = row.cells
            return (
                try cells.next(as: Int64.self), try cells.next(as: CustomerID.self), try cells.next(as: String.self)
            )
        }
        var seen: Set<Int64> = []
        return rows.filter { seen.insert($0.0).inserted }.map { id, organiser, email in
            FoundThing(.family, "\(organiser)", "The family of \(email)", detail: "family \(id)")
        }
    }

    private func devices(_ beginning: NumberBeginning?) throws -> [FoundThing] {
        let ids = try beginning?.find(
            .init(
                bounds: "SELECT min(id), max(id) FROM device",
                numbers: "SELECT id FROM device WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3"),
            limit: limit + 1, in: transaction)
        return try transaction.query(
            "SELECT id, bundle_id FROM device WHERE id IN \(.numbers) ORDER BY id", of: ids ?? []
        ) { row in
            let app = try row.value(1, as: BundleID.self)
            return FoundThing(.device, "\(try row.value(0, as: DeviceID.self))", detail: "with \(app)", app: app)
        }
    }

    // MARK: What was bought

    private func transactions(_ beginning: NumberBeginning?) throws -> [TransactionID] {
        let numbers = try beginning?.find(
            .init(
                bounds: "SELECT min(id), max(id) FROM store_transaction",
                numbers: "SELECT id FROM store_transaction WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3"),
            limit: limit + 1, in: transaction)
        return try (numbers ?? []).map { try TransactionID(number: $0) }
    }

    private func things(_ transactions: [TransactionID]) throws -> [FoundThing] {
        try transaction.query(
            """
            SELECT store_transaction.id, store_transaction.product_id, customer.email FROM store_transaction
            JOIN customer ON customer.id = store_transaction.customer_id
            WHERE store_transaction.id IN \(.numbers) ORDER BY store_transaction.id
            """, of: transactions
        ) { row in
            var cells = row.cells
            let (id, product) = (try cells.next(as: TransactionID.self), try cells.next(as: String.self))
            return FoundThing(.transaction, "\(id)", product, detail: try cells.next())
        }
    }

    /// By their numbers; and by what is said of one of them: a code, the id of an order or of a request.
    private func purchases(_ beginning: NumberBeginning?) throws -> [FoundThing] {
        var numbers: [Int64] = []
        if let beginning {
            for place in [Self.purchaseIDs, Self.orderIDs] where numbers.count <= limit {
                numbers += try beginning.find(place, limit: limit + 1 - numbers.count, in: transaction)
            }
        } else if text != SaleStatus.last, let named = try? SaleStatus.number(named: text, in: transaction) {
            numbers = [named.number]
        } else {
            numbers = try orders()
        }
        return try SaleStatus.all(numbers.map { try SaleID(number: $0) }, in: transaction).map { sale in
            let bought = sale.bought.map { "transaction \($0.id)" }
            return FoundThing(.purchase, "\(sale.id)", "\(try sale.terms.item.product)", detail: bought ?? "")
        }
    }

    /// The newest orders whose ids begin so. An id is made from the number, so that no index has its beginnings.
    private func orders() throws -> [Int64] {
        let beginning = text.uppercased()
        guard (Self.shortestOrder...OrderID.longest).contains(beginning.utf8.count), OrderID(beginning) != nil else {
            return []
        }
        let newest = try transaction.query(
            "SELECT id FROM sale_order ORDER BY id DESC LIMIT $1", Self.newestOrders
        ) { try $0.value(0, as: SaleID.self) }
        return newest.filter { OrderID($0, in: environment).text.hasPrefix(beginning) }.prefix(limit + 1).map(\.number)
    }

    /// Fewer characters of an order id would fit some word by chance.
    private static let shortestOrder = 4
    /// How many orders are looked through; older ones are found by the whole id.
    private static let newestOrders = 1000

    private static let purchaseIDs = NumberBeginning.Place(
        bounds: "SELECT min(id), max(id) FROM purchase",
        numbers: "SELECT id FROM purchase WHERE id BETWEEN $1 AND $2 ORDER BY id LIMIT $3")
    /// Orders that no device asked for.
    private static let orderIDs = NumberBeginning.Place(
        bounds: "SELECT min(id), max(id) FROM sale_order WHERE origin <> 'purchase'",
        numbers: """
            SELECT id FROM sale_order WHERE origin <> 'purchase' AND id BETWEEN $1 AND $2 ORDER BY id LIMIT $3
            """)

    /// Those whose original transaction is one of these.
    private func subscriptions(of transactions: [TransactionID]) throws -> [FoundThing] {
        try transaction.query(
            "SELECT original_id, product_id, state FROM subscription WHERE original_id IN \(.numbers) ORDER BY original_id",
            of: transactions
        ) { row in
            var cells = row.cells
            let (id, product) = (try cells.next(as: TransactionID.self), try cells.next(as: String.self))
            return FoundThing(.subscription, "\(id)", product, detail: try cells.next())
        }
    }
}
