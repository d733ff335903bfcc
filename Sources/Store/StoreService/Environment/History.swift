import StoreCatalogue
import StoreDatabase
import StoreModel

/// The history of a kind of row: a table of lines, numbered for each row without gaps and written once.
struct History: Sendable {
    private let table: SQL
    /// The column with the key of the row.
    private let subject: SQL

    static let purchases = History(table: "purchase_history", subject: "purchase_id")
    static let charges = History(table: "charge_history", subject: "charge_id")
    static let subscriptions = History(table: "subscription_history", subject: "subscription_id")
    static let refundRequests = History(table: "refund_request_history", subject: "refund_request_id")
    static let families = History(table: "family_history", subject: "family_id")
    static let clocks = History(table: "clock_history", subject: "clock_id")
    static let partners = History(table: "partner_history", subject: "partner_id")
    static let customerReviews = History(table: "customer_review_history", subject: "review_id")

    /// Writes a line, with who made the change and by which request.
    ///
    /// - Parameters:
    ///   - number: how many lines the row has with this one.
    ///   - detail: what is to be said besides the event.
    ///   - more: the columns that only this history has.
    func append(
        _ event: String, to id: some ColumnValue, number: Int, detail: String?, _ more: RowValues, _ change: Change
    ) throws {
        try append(
            event, to: id, number: number, detail: detail, more, at: change.commerce, by: change.actor,
            change.cause.request, in: change.transaction)
    }

    /// Writes a line about what happened at another time than that by the clock of a change.
    func append(
        _ event: String, to id: some ColumnValue, number: Int, detail: String?, _ more: RowValues, at instant: Instant,
        by actor: Actor, _ request: String?, in transaction: any WriteTransaction
    ) throws {
        let line: RowValues = [
            subject: id, "number": number, "at": instant, "event": event, "detail": detail,
            "actor": actor.text, "request_id": request,
        ]
        try transaction.insert(into: table, line + more)
    }
}
