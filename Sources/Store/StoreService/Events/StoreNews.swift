import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
package import StoreModel
import StoreRules

/// What customers do in an environment, one line each, for whoever looks at the window of a running store.
///
/// It is read from what devices are told, after it was committed; several servers of one database tell the same.
package struct StoreNews: Sendable {
    private let store: EnvironmentStore
    /// Whether customers are called by their e-mail addresses; a log that is kept calls them by their numbers.
    private let namesCustomers: Bool
    private let start: Instant
    private let prices = PriceText()

    /// - Parameter namesCustomers: whether lines have e-mail addresses; they have no place in a log that is kept.
    package init(_ store: EnvironmentStore, namesCustomers: Bool) {
        self.store = store
        self.namesCustomers = namesCustomers
        start = store.clocks.wall()
    }

    /// Where the news of an app's customer go on.
    fileprivate struct Place: Hashable {
        let customer: CustomerID
        let app: AppID
    }

    /// What was told already.
    package struct Told: Sendable {
        fileprivate var numbers: [Place: Int64] = [:]

        package init() {}
    }

    /// How many places are remembered; beyond that the oldest news may be told twice.
    private static let mostPlaces = 20_000
    /// Lines of one customer at once.
    private static let mostLines = 100

    /// Writes lines into the log of the environment, until the database is closed or the task is cancelled.
    package func follow() async throws {
        var told = Told()
        for await signal in try await store.database.signals(on: .customerEvents) {
            guard let customer = signal.subject.flatMap({ CustomerID($0) }) else { continue }
            try await tell(of: customer, beyond: &told)
        }
    }

    /// Writes what has happened to a customer since, once.
    package func tell(of customer: CustomerID, beyond told: inout Told) async throws {
        if told.numbers.count > Self.mostPlaces { told = Told() }
        let known = told.numbers
        let (lines, places) = try await store.database.read { try self.lines(of: customer, known, in: $0) }
        told.numbers.merge(places) { $1 }
        for line in lines { try await write(line) }
    }

    /// What happened to one customer, not yet in words.
    private struct Line {
        let customer: Customer
        let app: AppID
        let kind: CustomerEventKind
        let isAgain: Bool
        let told: StoreTransaction?
        let purchase: StoredPurchase?
    }

    private func lines(
        of id: CustomerID, _ seen: [Place: Int64], in transaction: any ReadTransaction
    ) throws -> ([Line], [Place: Int64]) {
        guard let customer = try Customers.find(id, in: transaction) else { return ([], [:]) }
        var places: [Place: Int64] = [:]
        let rows = try transaction.query(
            """
            SELECT app_id, number, kind, purchase_id, transaction_id FROM customer_event
            WHERE customer_id = $1 AND written_at >= $2 ORDER BY app_id, number
            """, id, start
        ) { row in
            var cells = row.cells
            return try (
                app: cells.next(as: AppID.self), number: cells.next(as: Int64.self),
                kind: cells.next(as: CustomerEventKind.self), purchase: cells.next(as: PurchaseID?.self),
                transaction: cells.next(as: TransactionID?.self)
            )
        }
        var lines: [Line] = []
        var earlier: Set<TransactionID> = []
        for row in rows {
            let place = Place(customer: id, app: row.app)
            places[place] = row.number
            let isAgain = row.kind == .transaction && row.transaction.map { !earlier.insert($0).inserted } == true
            guard row.number > seen[place] ?? 0 else { continue }
            lines.append(
                Line(
                    customer: customer, app: row.app, kind: row.kind, isAgain: isAgain,
                    told: try row.transaction.flatMap { try Transactions.find($0, in: transaction) },
                    purchase: try row.purchase.flatMap { try Purchases.find($0, in: transaction) }))
        }
        return (lines.suffix(Self.mostLines), places)
    }

    private func write(_ line: Line) async throws {
        let product = line.told?.productID ?? line.purchase?.item.product
        guard let product, let (event, words) = words(line) else { return }
        let title = try await store.catalogue.read { transaction -> String? in
            guard let found = try Catalogue.product(product, of: line.app, in: transaction),
                let app = try Catalogue.app(line.app, in: transaction)
            else { return nil }
            let texts = try Catalogue.details(of: found, in: transaction).texts
            return (texts[app.primaryLanguage] ?? texts.min { $0.key < $1.key }?.value)?.title
        }
        let quantity = line.told?.quantity ?? line.purchase?.quantity ?? 1
        let what = (quantity > 1 ? "\(quantity) × " : "") + (title ?? product.text)
        let who = namesCustomers ? line.customer.email : "customer \(line.customer.id)"
        var parts = ["\(who) \(words.replacing("%", with: what))"]
        if let price = line.told?.price, line.told?.restoredID == nil, !line.isAgain,
            let storefront = line.told?.storefront
        {
            let text = storefront.storefront.map { prices.text(of: price, language: "en", storefront: $0) }
            parts.append(price.isZero ? "free" : text ?? price.description)
        }
        parts.append(product.text)
        store.log.info(
            event, parts.joined(separator: " · "),
            [
                "environment": .text(store.environment.rawValue), "customer": .text(line.customer.id.description),
                "transaction": .text(line.told?.id.description ?? ""),
            ])
    }

    /// The name of an event and its words, with % for the product; nil for what is not told.
    private func words(_ line: Line) -> (String, String)? {
        guard let told = line.told else {
            guard let purchase = line.purchase else { return nil }
            switch purchase.state {
            case .approval: return ("sale.asks", "asks for an approval of %")
            case .declined: return ("sale.declined", "was declined %")
            case .cancelled: return ("sale.cancelled", "cancelled %")
            case .failed:
                return ("sale.failed", "did not get % (\(purchase.rules.failure?.rawValue ?? "failed"))")
            default: return nil
            }
        }
        if line.kind == .revocation {
            guard let revocation = told.revocation else { return nil }
            return revocation.refund == nil ? ("sale.revoked", "lost %, revoked") : ("sale.refunded", "was refunded %")
        }
        if told.restoredID != nil { return ("sale.restored", "restored %") }
        return line.isAgain ? ("sale.told", "was told again of %") : ("sale.bought", "bought %")
    }
}
