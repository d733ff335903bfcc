import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
package import StoreModel
import StoreRules

/// What customers do in an environment, one line each, for whoever looks at the window of a running store.
///
/// It is read from what devices are told, after it was committed, and from signals of what they are not told: a sale
/// without a device that is declined, a refund that takes nothing away. Several servers of one database tell the same.
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
    /// Lines of one customer in an app at once.
    private static let mostLines = 100

    /// Writes lines into the log of the environment, until the database is closed or the task is cancelled.
    package func follow() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var told = Told()
                try await follow(.customerEvents) { try await tell(of: $0, beyond: &told) }
            }
            group.addTask { try await follow(.purchases) { try await tell(of: $0 as SaleID) } }
            group.addTask { try await follow(.refunds) { try await tell(of: $0 as RefundID) } }
            group.addTask { try await follow(.redeliveries) { try await tell(of: $0 as TransactionID) } }
            try await group.waitForAll()
        }
    }

    private func follow<Subject: StoreIdentifier>(
        _ topic: SignalTopic, _ tell: (Subject) async throws -> Void
    ) async throws {
        for await signal in try await store.database.signals(on: topic) {
            if let subject = signal.subject.flatMap({ Subject($0) }) { try await tell(subject) }
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

    /// Writes how a sale stands that no device asked for and that has no transaction: devices are not told of it.
    package func tell(of id: SaleID) async throws {
        let line = try await store.database.read { transaction -> Line? in
            guard let status = try SaleStatus(id, in: transaction), status.purchase == nil, let order = status.order,
                let news = SaleNews(status.state, because: status.failure)
            else { return nil }
            return try Customers.find(order.scope.customer, in: transaction).map {
                Line(
                    news: news, customer: $0, app: order.scope.app, product: order.item.product,
                    quantity: order.quantity, storefront: order.item.storefront)
            }
        }
        if let line { try await write(line) }
    }

    /// Writes that money was given back for what the customer keeps or had lost already: devices are not told of it.
    package func tell(of id: RefundID) async throws {
        let line = try await store.database.read { transaction -> Line? in
            guard let refund = try Refunds.find(id, in: transaction), refund.state == .refunded,
                let sold = try Transactions.find(refund.transaction, in: transaction),
                let customer = try Customers.find(refund.customer, in: transaction)
            else { return nil }
            return Line(SaleNews(refund, of: sold.price), customer, sold)
        }
        if let line { try await write(line) }
    }

    /// Writes that a transaction is delivered once more because somebody asked for that.
    package func tell(of id: TransactionID) async throws {
        let line = try await store.database.read { transaction -> Line? in
            guard let sold = try Transactions.find(id, in: transaction) else { return nil }
            return try Customers.find(sold.customerID, in: transaction).map { Line(.redelivered, $0, sold) }
        }
        if let line { try await write(line) }
    }

    /// What happened to one customer, not yet in words.
    fileprivate struct Line {
        let news: SaleNews
        let customer: Customer
        let app: AppID
        let product: ProductID
        let quantity: Int
        let storefront: StorefrontCode
        var transaction: TransactionID?
    }

    /// What devices were told, as it is kept.
    private struct Event {
        let number: Int64
        let kind: CustomerEventKind
        let purchase: PurchaseID?
        let transaction: TransactionID?
        /// The device that asked; nil where all are told.
        let device: DeviceID?
        let date: Instant
    }

    private func lines(
        of id: CustomerID, _ seen: [Place: Int64], in transaction: any ReadTransaction
    ) throws -> ([Line], [Place: Int64]) {
        guard let customer = try Customers.find(id, in: transaction) else { return ([], [:]) }
        var (unseen, places): ([Event], [Place: Int64]) = ([], [:])
        for app in try CustomerEvents.apps(of: id, in: transaction) {
            let place = Place(customer: id, app: app)
            let newest = try newestEvents(of: place, after: seen[place] ?? 0, in: transaction)
            places[place] = newest.last?.number
            unseen += newest.filter { $0.date >= start }
        }
        let lines = try unseen.enumerated().compactMap { index, event -> Line? in
            // How a purchase stands is told once, however often it has changed.
            let isStale =
                event.transaction == nil
                && unseen.dropFirst(index + 1).contains { $0.purchase == event.purchase && $0.transaction == nil }
            return try isStale ? nil : line(event, customer, in: transaction)
        }
        return (lines, places)
    }

    /// The last events of a customer in an app beyond a number, the newest last.
    private func newestEvents(
        of place: Place, after number: Int64, in transaction: any ReadTransaction
    ) throws -> [Event] {
        try transaction.query(
            """
            SELECT number, kind, purchase_id, transaction_id, device_id, written_at FROM customer_event
            WHERE customer_id = $1 AND app_id = $2 AND number > $3 ORDER BY number DESC LIMIT $4
            """, place.customer, place.app, number, Self.mostLines
        ) { row in
            var cells = row.cells
            return try Event(
                number: cells.next(), kind: cells.next(), purchase: cells.next(), transaction: cells.next(),
                device: cells.next(), date: cells.next())
        }.reversed()
    }

    private func line(_ event: Event, _ customer: Customer, in transaction: any ReadTransaction) throws -> Line? {
        if let sold = try event.transaction.flatMap({ try Transactions.find($0, in: transaction) }) {
            let former = try CustomerEvents.told(of: sold, limit: Self.mostLines, in: transaction)
                .last { $0.number < event.number }
            let refund = try sold.revocation?.refund.flatMap { try Refunds.find($0, in: transaction) }
            return SaleNews(
                event.kind, of: sold, after: former?.kind, isAsked: event.device != nil, refund: refund
            ).map { Line($0, customer, sold) }
        }
        guard event.kind == .purchase,
            let purchase = try event.purchase.flatMap({ try Purchases.find($0, in: transaction) })
        else { return nil }
        let status = try SaleStatus(purchase, in: transaction)
        return SaleNews(status.state, because: status.failure).map {
            Line(
                news: $0, customer: customer, app: purchase.app, product: purchase.item.product,
                quantity: purchase.quantity, storefront: purchase.item.storefront)
        }
    }

    private func write(_ line: Line) async throws {
        let title = try await store.catalogue.read { transaction -> String? in
            guard let found = try Catalogue.product(line.product, of: line.app, in: transaction),
                let app = try Catalogue.app(line.app, in: transaction)
            else { return nil }
            let texts = try Catalogue.details(of: found, in: transaction).texts
            return (texts[app.primaryLanguage] ?? texts.min { $0.key < $1.key }?.value)?.title
        }
        let what = (line.quantity > 1 ? "\(line.quantity) × " : "") + (title ?? line.product.text)
        let who = namesCustomers ? line.customer.email : "customer \(line.customer.id)"
        let money = line.news.money.map { amount in
            let text = line.storefront.storefront.map { prices.text(of: amount, language: "en", storefront: $0) }
            return amount.isZero ? "free" : text ?? amount.description
        }
        let parts =
            ["\(who) \(line.news.words.replacing("%", with: what))"]
            + (money.isEmpty ? [] : [money.joined(separator: " of ")]) + [line.product.text]
        store.log.info(
            line.news.event, parts.joined(separator: " · "),
            [
                "environment": .text(store.environment.rawValue), "customer": .text(line.customer.id.description),
                "transaction": .text(line.transaction?.description ?? ""),
            ])
    }
}

extension StoreNews.Line {
    fileprivate init(_ news: SaleNews, _ customer: Customer, _ sold: StoreTransaction) {
        self.init(
            news: news, customer: customer, app: sold.appID, product: sold.productID, quantity: sold.quantity,
            storefront: sold.storefront, transaction: sold.id)
    }
}

extension SignalTopic {
    /// Money was given back that devices are told nothing of; the subject is the number of the refund.
    static let refunds = SignalTopic("refunds")
    /// Somebody had a transaction delivered once more; the subject is its number.
    static let redeliveries = SignalTopic("redeliveries")
}

/// What happened to a sale. It follows from what devices are told, from the state of a sale without a transaction, or
/// from a refund; each has its own sentence.
enum SaleNews: Hashable, Sendable {
    case bought(Money)
    case renewed(Money)
    case shared
    case restored
    /// Somebody asked for what was delivered before.
    case redelivered
    /// It was lost, and is not any more.
    case reinstated
    case priceRaised
    case revoked
    /// It is lost, and the money is still to come.
    case refundBegun(Money)
    case refunded(Money)
    /// All that earlier refunds had left.
    case refundedRest(Money, of: Money)
    case refundedPart(Money, of: Money, isLost: Bool)

    case asksForApproval
    case interrupted
    case isAtBank
    case maySwitchCard
    case refused
    case declined(String)
    case cancelled
    case expired
    case failed(String)

    /// Something that devices are told of a transaction; nil for what is not told here.
    ///
    /// - Parameters:
    ///   - former: what they were told of it before; nil if this is the first.
    ///   - isAsked: whether a device asked. All are told also that one has finished it, or that its period was cut short, and
    ///     that delivers nothing.
    ///   - refund: the refund that revoked it, or something that it came of.
    init?(
        _ kind: CustomerEventKind, of sold: StoreTransaction, after former: CustomerEventKind?, isAsked: Bool = false,
        refund: StoredRefund?
    ) {
        switch kind {
        case .transaction where former == .revocation: self = .reinstated
        case .transaction where former != nil:
            guard isAsked else { return nil }
            self = .redelivered
        case .transaction where sold.restoredID != nil: self = .restored
        case .transaction where sold.ownership == .familyShared: self = .shared
        case .transaction: self = sold.reason == .renewal ? .renewed(sold.price) : .bought(sold.price)
        case .revocation where sold.revocation == nil: return nil
        case .revocation:
            // What came of it without money is lost with it, and nothing is given back for that.
            guard let refund, refund.transaction == sold.id, refund.state != .failed else {
                self = .revoked
                return
            }
            self.init(refund, of: sold.price)
        case .priceConsent: self = .priceRaised
        default: return nil
        }
    }

    /// A refund, which the customer has or is to get.
    init(_ refund: StoredRefund, of price: Money) {
        let amount = refund.amount
        if refund.state == .refunding {
            self = .refundBegun(amount)
        } else if amount == price {
            self = .refunded(amount)
        } else if refund.kind == .full {
            self = .refundedRest(amount, of: price)
        } else {
            self = .refundedPart(amount, of: price, isLost: refund.rules.revokes)
        }
    }

    /// How a sale stands that has no transaction; nil for what nobody has to hear of.
    init?(_ state: SaleState, because failure: PurchaseFailure?) {
        let reason = failure.map(SaleSummary.reason) ?? "failed"
        switch state {
        case .signIn, .confirmation, .authorising, .capturing, .voiding, .purchased: return nil
        case .interrupted: self = .interrupted
        case .approval: self = .asksForApproval
        case .action: self = .isAtBank
        case .choosing: self = .maySwitchCard
        case .declined: self = .declined(reason)
        case .cancelled: self = .cancelled
        case .failed where failure == .refused: self = .refused
        case .failed where failure == .expired: self = .expired
        case .failed: self = .failed(reason)
        }
    }

    /// What the log calls it.
    var event: String {
        switch self {
        case .bought: "sale.bought"
        case .renewed: "sale.renewed"
        case .shared: "sale.shared"
        case .restored: "sale.restored"
        case .redelivered: "sale.redelivered"
        case .reinstated: "sale.reinstated"
        case .priceRaised: "sale.raised"
        case .revoked: "sale.revoked"
        case .refundBegun: "sale.refunding"
        case .refunded, .refundedRest, .refundedPart: "sale.refunded"
        case .asksForApproval: "sale.asks"
        case .interrupted: "sale.interrupted"
        case .isAtBank: "sale.action"
        case .refused: "sale.refused"
        case .declined, .maySwitchCard: "sale.declined"
        case .cancelled: "sale.cancelled"
        case .expired: "sale.expired"
        case .failed: "sale.failed"
        }
    }

    /// What it says of the customer, with % for the product.
    var words: String {
        switch self {
        case .bought: "bought %"
        case .renewed: "renewed %"
        case .shared: "has % from the family"
        case .restored: "restored %"
        case .redelivered: "gets % once more, as was asked"
        case .reinstated: "has % again"
        case .priceRaised: "is asked about a higher price of %"
        case .revoked: "lost %"
        case .refundBegun: "lost %, and is being refunded"
        case .refunded: "was refunded %"
        case .refundedRest: "was refunded the rest of %"
        case .refundedPart(_, _, isLost: true): "was refunded a part of %, and lost it"
        case .refundedPart: "was refunded a part of %"
        case .asksForApproval: "asks for an approval of %"
        case .interrupted: "has to settle something before % goes on"
        case .isAtBank: "has to confirm % at the bank"
        case .maySwitchCard: "was declined %, and may choose another card"
        case .refused: "was refused % by who approves"
        case .declined(let reason): "was declined % (\(reason))"
        case .cancelled: "cancelled %"
        case .expired: "let % expire"
        case .failed(let reason): "did not get % (\(reason))"
        }
    }

    /// The money that it is about; of a part also all of it.
    var money: [Money] {
        switch self {
        case .bought(let price), .renewed(let price): [price]
        case .refundBegun(let amount), .refunded(let amount): [amount]
        case .refundedRest(let amount, let price), .refundedPart(let amount, let price, _): [amount, price]
        default: []
        }
    }
}
