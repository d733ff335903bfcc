import Foundation
import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules

/// A rule of what goes wrong in the sandbox, as it is kept, and how often it did.
package struct Fault: Sendable {
    package let id: FaultID
    package let terms: FaultTerms
    package let rule: FaultRule
    let app: AppID?
    /// How many calls of what the rule is about there were.
    package let counted: Int
    /// How many of them it struck.
    package let struck: Int
    package let addedAt: Instant
    /// Who asked for it.
    package let actor: String

    /// Whether it strikes nothing any more.
    package var isOver: Bool { rule.isOver(counted: counted, struck: struck) }

    private static let columns: SQL = "id, rule, app_id, customer_id, counted, struck, added_at, actor"

    private init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        terms = try JSONDecoder().decode(FaultTerms.self, from: Data(try cells.next(as: String.self).utf8))
        app = try cells.next()
        rule = try FaultRule(terms, customer: cells.next())
        counted = try cells.next()
        struck = try cells.next()
        addedAt = try cells.next()
        actor = try cells.next()
    }

    /// All there are, in the order in which they were added.
    static func all(in transaction: any ReadTransaction) throws -> [Fault] {
        try transaction.query("SELECT \(columns) FROM fault_rule ORDER BY id", row: Fault.init)
    }

    static func insert(
        _ terms: FaultTerms, of app: AppID?, _ customer: CustomerID?, _ change: Change
    ) throws -> Fault {
        let transaction = change.transaction
        let count = try transaction.value("SELECT count(*) FROM fault_rule", as: Int.self)
        guard count < FaultLimits.rules else {
            throw ServiceError(.limitReached, "there are at most \(FaultLimits.rules) faults; clear some of them first")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let id = try FaultID(number: Numbers.draw(.faults, in: transaction))
        try transaction.insert(
            into: "fault_rule",
            [
                "id": id, "rule": String(decoding: try encoder.encode(terms), as: UTF8.self), "app_id": app,
                "customer_id": customer, "counted": 0, "struck": 0, "added_at": change.wall,
                "actor": change.actor.text,
            ])
        return try transaction.one(
            "SELECT \(columns) FROM fault_rule WHERE id = $1", id, row: Fault.init)
    }

    /// Takes one away, or all; gives how many there were.
    static func remove(_ id: FaultID?, in transaction: any WriteTransaction) throws -> Int {
        guard let id else { return try transaction.execute("DELETE FROM fault_rule") }
        return try transaction.execute("DELETE FROM fault_rule WHERE id = $1", id)
    }

    /// Counts a call that the rule is about, and says whether it strikes it; nil where the rule was taken away.
    func count(in transaction: any WriteTransaction) throws -> (counted: Int, struck: Int, strikes: Bool)? {
        let found = try transaction.optional(
            "UPDATE fault_rule SET counted = counted + 1 WHERE id = $1 RETURNING counted, struck", id
        ) { row in
            var cells = row.cells
            return (counted: try cells.next(as: Int.self), struck: try cells.next(as: Int.self))
        }
        guard let found else { return nil }
        guard rule.strikes(call: found.counted, after: found.struck) else {
            return (found.counted, found.struck, false)
        }
        try transaction.execute("UPDATE fault_rule SET struck = struck + 1 WHERE id = $1", id)
        return (found.counted, found.struck + 1, true)
    }
}

extension NumberSeries {
    static let faults = NumberSeries("fault")
}

extension SignalTopic {
    /// The faults of the sandbox are others than before.
    package static let faults = SignalTopic("faults")
}
