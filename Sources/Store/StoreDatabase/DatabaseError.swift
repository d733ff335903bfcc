/// Why a database did not do what it was asked.
///
/// The code is for programs, the message for people; the message names tables, columns and limits, never values.
@usableFromInline
package struct DatabaseError: Error, Hashable, Sendable {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is such a row already.
        package static let uniqueViolation = Code(rawValue: "unique_violation")
        /// A row points to one that is not there, or is still pointed to.
        package static let foreignKeyViolation = Code(rawValue: "foreign_key_violation")
        /// A value breaks the rule of its table.
        package static let checkViolation = Code(rawValue: "check_violation")
        /// A value is missing that must be there.
        package static let notNullViolation = Code(rawValue: "not_null_violation")
        /// Another connection holds a lock that is needed.
        package static let busy = Code(rawValue: "busy")
        /// Two transactions cannot both be, as if one had run after the other.
        package static let serialization = Code(rawValue: "serialization")
        /// The changes could not be made to last.
        package static let commitFailed = Code(rawValue: "commit_failed")
        /// The connection broke while the changes were made to last, and nobody can tell whether they were. Look before
        /// doing the same again.
        package static let commitUnknown = Code(rawValue: "commit_unknown")
        /// There is no room left.
        package static let full = Code(rawValue: "full")
        /// The disk failed.
        package static let inputOutput = Code(rawValue: "input_output")
        /// There is not enough memory.
        package static let outOfMemory = Code(rawValue: "out_of_memory")
        /// The statement was stopped before its end.
        package static let interrupted = Code(rawValue: "interrupted")
        /// What is on the disk is not a database, or is damaged.
        package static let corrupt = Code(rawValue: "corrupt")
        /// A read transaction was asked to change something.
        package static let readOnly = Code(rawValue: "read_only")
        /// The database cannot be opened or reached.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The statement is wrong, or has not the parameters it is given.
        package static let statement = Code(rawValue: "statement")
        /// A statement of the transaction has failed before, so nothing more can be done in it.
        package static let transactionFailed = Code(rawValue: "transaction_failed")
        /// The schema is not the one that this program knows.
        package static let schema = Code(rawValue: "schema")
        /// A cell does not hold what was asked of it, or a value cannot be stored.
        package static let unexpectedValue = Code(rawValue: "unexpected_value")
        /// A text has a character that databases do not keep.
        package static let textNotStorable = Code(rawValue: "text_not_storable")
        /// There are more rows than the limit, or than the caller can use.
        package static let tooManyRows = Code(rawValue: "too_many_rows")
        /// A row that must be there is not.
        package static let noSuchRow = Code(rawValue: "no_such_row")
        /// Too many are waiting for their turn.
        package static let queueFull = Code(rawValue: "queue_full")
        /// The database was closed, or the transaction is over.
        package static let closed = Code(rawValue: "closed")
        /// The work was scheduled anew, or is in other hands by now.
        package static let leaseLost = Code(rawValue: "lease_lost")
        /// The call took longer than its limit.
        package static let timeout = Code(rawValue: "timeout")
    }

    package let code: Code
    /// One sentence that is safe to log.
    package let message: String
    /// The name of the constraint that was broken, where the engine tells it: that of a unique index, or `table_pkey`.
    package let constraint: String?
    /// Whether the same may succeed when it is tried again.
    package let isRetryable: Bool

    package init(_ code: Code, _ message: String, constraint: String? = nil, isRetryable: Bool = false) {
        self.code = code
        self.message = message
        self.constraint = constraint
        self.isRetryable = isRetryable
    }
}

extension DatabaseError: CustomStringConvertible {
    @usableFromInline package var description: String { message }
}
