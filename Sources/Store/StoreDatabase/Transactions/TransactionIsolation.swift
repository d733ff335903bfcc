/// How much a writing transaction sees of others that run at the same time. SQLite has one writer, so there every
/// transaction is serializable.
package struct TransactionIsolation: Hashable, Sendable {
    private let name: String

    /// As if transactions ran one after the other.
    package static let serializable = TransactionIsolation(name: "serializable")
    /// Each statement sees what was committed before it. For claims that skip what others have locked.
    package static let readCommitted = TransactionIsolation(name: "read committed")
}
