import Foundation
import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// Refunds that customers ask for, and those of the store who decide them.
package struct RefundDecisions: Sendable {
    private let store: EnvironmentStore

    /// The longest text of a customer, or of somebody who decides.
    package static let longestText = 1000
    /// Earlier refunds of a customer that are told one by one.
    private static let mostEarlier = 20

    package init(_ store: EnvironmentStore) {
        self.store = store
    }

    /// A request with what has to be known to decide it.
    package struct Details: Sendable {
        package let request: StoredRefundRequest
        /// The time of its customer.
        package let now: Instant
        package let customer: Customer?
        package let transaction: StoreTransaction
        package let finishedAt: Instant?
        /// What was paid and not given back.
        package let rest: Money
        /// The unused share of a subscription's period, which can be given back; nil for what has no period, or none that is
        /// left, and for what was taken back.
        package let unused: Money?
        /// What the developer said was consumed, the oldest first.
        package let consumption: [Consumption.Answer]
        /// What the customer had back for other purchases, the newest first.
        package let earlier: [StoredRefund]
        package let refund: StoredRefund?
        package let history: [StoredRefundRequest.Line]
    }

    /// Asks for the customer. Who asks again before it is decided gets the same request.
    package func request(
        _ id: TransactionID, for name: String, because reason: RefundRequestReason, note: String?, _ cause: ChangeCause
    ) async throws -> Details {
        guard RefundRequestReason.known.contains(reason) else {
            let words = RefundRequestReason.known.map(\.rawValue).sorted().joined(separator: ", ")
            throw ServiceError(.valueInvalid, "the reason is one of \(words)", parameter: "reason")
        }
        let note = try note.map { try Self.text($0, of: "note") }
        let number = try RefundRequestID(number: await store.numbers.next(.refundRequests))
        let opened = try await store.database.write { transaction in
            let customer = try Customers.named(name, in: transaction)
            let sold = try Transactions.require(id, in: transaction)
            guard sold.customerID == customer.id else {
                throw ServiceError(
                    .transactionUnknown, "the customer has no transaction \(id)", parameter: "transactionId")
            }
            return try RefundRequests.open(
                sold, because: reason, note: note, as: number, cause.change(of: customer.id, in: transaction))
        }
        return try await details(of: opened.id)
    }

    /// A page of the requests, the oldest first.
    package func list(
        in states: Set<RefundRequest.State>, askedIn period: ReportPeriod = .always, after id: RefundRequestID?,
        limit: Int
    ) async throws -> [Details] {
        let store = store
        return try await store.database.read { transaction in
            try Self.details(
                of: RefundRequests.list(in: states, askedIn: period, after: id, limit: limit, in: transaction), store,
                in: transaction)
        }
    }

    package func details(of id: RefundRequestID) async throws -> Details {
        let store = store
        return try await store.database.read { transaction in
            let request = try RefundRequests.require(id, in: transaction)
            guard let found = try Self.details(of: [request], store, in: transaction).first else {
                throw DatabaseError(.unexpectedValue, "the refund request \(id) is about no transaction")
            }
            return found
        }
    }

    /// With as many statements, however many requests there are.
    private static func details(
        of requests: [StoredRefundRequest], _ store: EnvironmentStore, in transaction: any ReadTransaction
    ) throws -> [Details] {
        let (ids, owners) = (requests.map(\.id), requests.map(\.customer))
        let sold = try Transactions.find(all: requests.map(\.transaction), in: transaction)
        let charges = try Charges.find(all: sold.values.compactMap { $0.orderID?.charge }, in: transaction)
        let customers = try Customers.find(all: owners, in: transaction)
        let clocks = try CustomerClock.of(all: owners, in: transaction)
        let finished = try Transactions.finishedAt(all: sold.keys, in: transaction)
        let consumption = try Consumption.answers(about: ids, in: transaction)
        let earlier = try Refunds.earlier(than: ids, limit: mostEarlier, in: transaction)
        let refunds = try Refunds.find(all: requests.compactMap(\.refund), in: transaction)
        let histories = try StoredRefundRequest.histories(of: ids, in: transaction)
        return try requests.compactMap { request in
            guard let transaction = sold[request.transaction] else { return nil }
            let charge = transaction.orderID.flatMap { charges[$0.charge] }
            let rest = try charge.map { try $0.amount - $0.refunded } ?? .zero(transaction.price.currency)
            let now = store.clocks.now(by: clocks[request.customer]).commerce
            return Details(
                request: request, now: now, customer: customers[request.customer], transaction: transaction,
                finishedAt: finished[transaction.id], rest: rest,
                unused: transaction.revocation == nil ? unused(of: transaction, rest, at: now) : nil,
                consumption: consumption[request.id] ?? [], earlier: earlier[request.id] ?? [],
                refund: request.refund.flatMap { refunds[$0] }, history: histories[request.id] ?? [])
        }
    }

    private static func unused(of sold: StoreTransaction, _ rest: Money, at commerce: Instant) -> Money? {
        guard sold.kind == .autoRenewable, let end = sold.expiresDate else { return nil }
        let unused = RefundPart.unused(of: sold.price, from: sold.purchaseDate, to: end, at: commerce)
        return unused.minorUnits > 0 ? (unused.minorUnits < rest.minorUnits ? unused : rest) : nil
    }

    // MARK: Deciding

    /// Gives money back. The intent is kept with the decision, in one transaction; the processor is asked after that.
    ///
    /// - Parameter revokes: whether the customer loses the purchase with a part of the money; with all of it, and with the
    ///   unused share of a period, that is so.
    package func approve(
        _ id: RefundRequestID, _ extent: RefundExtent, revokes: Bool = false, because reason: String,
        _ cause: ChangeCause
    ) async throws -> Details {
        try await openRefund(id, extent, revokes: revokes, because: reason, cause)
        if let refund = try await store.database.read({ try RefundRequests.require(id, in: $0).refund }) {
            _ = try await RefundDriver(store).look(after: refund)
        }
        return try await details(of: id)
    }

    /// The same, as it was asked for.
    package func approve(
        _ id: RefundRequestID, _ choice: RefundChoice, because reason: String, _ cause: ChangeCause
    ) async throws -> Details {
        let sold = try await store.database.read {
            try Transactions.require(RefundRequests.require(id, in: $0).transaction, in: $0)
        }
        return try await approve(
            id, choice.extent(in: sold.price.currency), revokes: choice.revokes ?? false, because: reason, cause)
    }

    /// The decision and the intent alone; work that is due soon asks the processor, if nobody does before.
    package func openRefund(
        _ id: RefundRequestID, _ extent: RefundExtent, revokes: Bool, because reason: String, _ cause: ChangeCause
    ) async throws {
        let reason = try Self.text(reason, of: "because")
        let number = try RefundID(number: await store.numbers.next(.refunds))
        let key = PurchaseKey(UUID())
        try await store.database.write { transaction in
            let request = try RefundRequests.require(id, in: transaction)
            let change = try cause.change(of: request.customer, in: transaction)
            let actions = try RefundRequests.handle(.approved, of: request, because: reason, change)
            guard actions.contains(.open) else { return }
            let sold = try Transactions.require(request.transaction, in: transaction)
            let intent = try Self.intent(extent, of: sold, revokes: revokes, request, key, change)
            let refund = try Refunds.open(intent, of: sold, as: number, change)
            try RefundRequests.link(request, to: refund.id, change)
            try RefundRequests.settle(refund, change)
        }
    }

    private static func intent(
        _ extent: RefundExtent, of sold: StoreTransaction, revokes: Bool, _ request: StoredRefundRequest,
        _ key: PurchaseKey, _ change: Change
    ) throws -> RefundIntent {
        let isOfApp = [.fulfillment, .unsatisfied].contains(request.reason)
        let reason: RevocationReason = isOfApp ? .appIssue : .other
        switch extent {
        case .full: return .full(reason)
        case .amount(let amount): return .amount(amount, revokes: revokes, key: key, reason: reason)
        case .percentage(let share):
            guard (1...RefundPart.whole).contains(share) else {
                throw ServiceError(
                    .valueInvalid, "the percentage is 1 to \(RefundPart.whole), in thousandths of a percent",
                    parameter: "percentage")
            }
            return .amount(
                RefundPart.share(share, of: sold.price), revokes: revokes, key: key, reason: reason)
        case .prorated(let shown):
            let charge = try sold.orderID.flatMap { try Charges.find($0.charge, in: change.transaction) }
            let rest = try charge.map { try $0.amount - $0.refunded } ?? .zero(sold.price.currency)
            guard let amount = unused(of: sold, rest, at: change.commerce) else {
                throw ServiceError(
                    .valueInvalid, "only a subscription whose period is not over has an unused share",
                    parameter: "prorated")
            }
            guard let shown, shown != amount else { return .ending(amount, key: key, reason: reason) }
            // Whoever decides is taken at the word of what was on the page, if it was so not long ago.
            let earlier = unused(of: sold, rest, at: change.commerce - RefundPart.longestShown)
            guard shown.currency == amount.currency, shown.minorUnits > amount.minorUnits, let earlier,
                shown.minorUnits <= earlier.minorUnits
            else {
                throw ServiceError(
                    .valueInvalid,
                    "the unused share is \(amount) by now, and \(shown) was shown; nothing was given back",
                    parameter: "prorated")
            }
            return .ending(shown, key: key, reason: reason)
        }
    }

    /// Gives nothing back.
    package func decline(_ id: RefundRequestID, because reason: String, _ cause: ChangeCause) async throws -> Details {
        let reason = try Self.text(reason, of: "because")
        try await store.database.write { transaction in
            let request = try RefundRequests.require(id, in: transaction)
            _ = try RefundRequests.handle(
                .declined, of: request, because: reason, cause.change(of: request.customer, in: transaction))
        }
        return try await details(of: id)
    }

    /// Takes in that the customer does not ask any more, before somebody has decided. The same can be asked for again later.
    package func withdraw(_ id: RefundRequestID, _ cause: ChangeCause) async throws -> Details {
        try await store.database.write { transaction in
            let request = try RefundRequests.require(id, in: transaction)
            _ = try RefundRequests.handle(
                .withdrawn, of: request, because: nil, cause.change(of: request.customer, in: transaction))
        }
        return try await details(of: id)
    }

    /// Takes in that the bank decided for the store after a dispute: the money is the store's again, and the customer has
    /// the purchase again.
    package func reverse(_ id: RefundRequestID, because reason: String, _ cause: ChangeCause) async throws -> Details {
        let reason = try Self.text(reason, of: "because")
        let entry = try LedgerEntryID(number: await store.numbers.next(.ledgerEntries))
        try await store.database.write { transaction in
            let request = try RefundRequests.require(id, in: transaction)
            let change = try cause.change(of: request.customer, in: transaction)
            let actions = try RefundRequests.handle(.reversed, of: request, because: reason, change)
            guard actions.contains(.reinstate), let refund = request.refund else { return }
            _ = try Refunds.handle(.reversed, of: Refunds.require(refund, in: transaction), ledgerEntry: entry, change)
        }
        return try await details(of: id)
    }

    /// Keeps what the developer says was consumed.
    package func answer(_ id: RefundRequestID, with consumption: Consumption, _ cause: ChangeCause) async throws
        -> Details
    {
        try await store.database.write { transaction in
            let request = try RefundRequests.require(id, in: transaction)
            try consumption.record(about: request, cause.change(of: request.customer, in: transaction))
        }
        return try await details(of: id)
    }

    private static func text(_ text: String, of field: String) throws(ServiceError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, trimmed.unicodeScalars.count <= longestText else {
            throw ServiceError(.valueInvalid, "the \(field) has 1 to \(longestText) characters", parameter: field)
        }
        return trimmed
    }
}
