package import StoreDatabase
package import StoreModel

/// What the processor knows charges and refunds by, for ever: a key has one effect, however often it is sent.
///
/// ```
/// 6f2c81d0/charge/17/1/authorise      a step of the first attempt
/// 6f2c81d0/refund/3
/// ```
///
/// A database that is begun anew counts from the beginning, and the processor still has the answers to those numbers. So
/// keys begin with the life of the database in which a charge or a refund was opened. It is kept in the row: one that was
/// under way when a backup was made is asked for under its old name after the backup was put back.
package struct ProcessorKeys: Sendable {
    private let prefix: String

    /// - Parameter life: nil for what was opened in a database without a name, such as one in memory.
    package init(_ life: String?) {
        prefix = life.map { "\($0)/" } ?? ""
    }

    /// The name of the present life of a database, as keys begin with it.
    package static func life(in transaction: any ReadTransaction) throws -> String? {
        try StoreProperty.epoch(in: transaction).map { String($0.prefix(length)) }
    }

    /// How much of the random name is enough to tell the few lives of a store apart.
    private static let length = 8

    package func charge(_ id: ChargeID, attempt: Int, _ step: String) -> String {
        "\(prefix)charge/\(id)/\(attempt)/\(step)"
    }

    package func refund(_ id: RefundID) -> String { "\(prefix)refund/\(id)" }

    /// What a key is about; nil of keys that no store makes.
    static func subject(of key: String) -> Subject? {
        var parts = key.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 3 || parts.count == 5 { parts.removeFirst() }
        if parts.count == 4, parts[0] == "charge", Int(parts[2]) != nil {
            return ChargeID(String(parts[1])).map(Subject.charge)
        }
        guard parts.count == 2, parts[0] == "refund" else { return nil }
        return RefundID(String(parts[1])).map(Subject.refund)
    }

    /// The charge that a key is about.
    package static func charge(of key: String) -> ChargeID? {
        guard case .charge(let id) = subject(of: key) else { return nil }
        return id
    }

    // Closed: money is taken or given back.
    enum Subject: Hashable, Sendable {
        case charge(ChargeID)
        case refund(RefundID)
    }
}
