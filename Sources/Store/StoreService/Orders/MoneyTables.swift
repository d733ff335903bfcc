import StoreDatabase
import StoreRules

/// The tables of an environment that are about money: orders, charges, refunds and the ledger. Orders, entries and postings
/// are written once.
enum MoneyTables {
    /// Who made an order, of those that no purchase tells of.
    static let actors: [SQL] = ["ALTER TABLE sale_order ADD COLUMN actor \(.text)"]

    /// Whether the customer pays on a page, where a declined card is not the end.
    static let pages: [SQL] = ["ALTER TABLE charge ADD COLUMN is_on_page \(.integer)"]

    /// The life of the database in which something was opened that the processor knows by a key.
    static let lives: [SQL] = [
        "ALTER TABLE charge ADD COLUMN life \(.text)", "ALTER TABLE refund ADD COLUMN life \(.text)",
    ]

    /// What balances and reports of periods are read by.
    static let reports: [SQL] = [
        "CREATE INDEX ledger_posting_of_account ON ledger_posting (account, entry_id, currency, amount)",
        "CREATE INDEX ledger_entry_by_time ON ledger_entry (at, id)",
    ]

    static let statements: [SQL] = [
        // What was sold, to whom and on which terms. An order has the number of the purchase it came of; one that no
        // device asked for takes a number of the same series.
        """
        CREATE TABLE sale_order (
            id \(.integer) NOT NULL PRIMARY KEY, origin \(.text) NOT NULL, customer_id \(.integer) NOT NULL,
            device_id \(.integer), app_id \(.integer) NOT NULL, bundle_id \(.text) NOT NULL,
            item_id \(.integer) NOT NULL, product_id \(.text) NOT NULL, kind \(.text) NOT NULL, period \(.text),
            group_id \(.text), quantity \(.integer) NOT NULL, storefront \(.text) NOT NULL,
            unit_price \(.integer) NOT NULL, currency \(.text) NOT NULL, total \(.integer) NOT NULL,
            commission \(.integer) NOT NULL, original_id \(.integer), order_line \(.integer), account_token \(.text),
            order_key \(.text), fingerprint \(.bytes), request_id \(.text), ordered_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX sale_order_by_key ON sale_order (order_key) WHERE order_key IS NOT NULL",
        "CREATE INDEX sale_order_by_customer ON sale_order (customer_id, id) WHERE origin <> 'purchase'",
        "CREATE INDEX sale_order_unasked ON sale_order (id) WHERE origin <> 'purchase'",
        """
        CREATE INDEX sale_order_request ON sale_order (request_id, id)
            WHERE origin <> 'purchase' AND request_id IS NOT NULL
        """,
        // The money of an order, which has the same number.
        """
        CREATE TABLE charge (
            id \(.integer) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL, payer_id \(.integer) NOT NULL,
            item_id \(.integer) NOT NULL, is_owned_once \(.integer) NOT NULL, payment_method_id \(.integer), description \(.text) NOT NULL,
            amount \(.integer) NOT NULL, currency \(.text) NOT NULL, is_attended \(.integer) NOT NULL,
            state \(.text) NOT NULL, failure \(.text), attempt \(.integer) NOT NULL, authorisation \(.text),
            capture \(.text), action_url \(.text), refunded \(.integer) NOT NULL,
            opened_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL, expires_at \(.integer) NOT NULL,
            history_count \(.integer) NOT NULL,
            CHECK (refunded >= 0 AND refunded <= amount)
        ) \(.table)
        """,
        // What recovery has to look after.
        "CREATE INDEX charge_under_way ON charge (state, id) WHERE \(Charge.State.underWay)",
        // For what is owned once, a customer pays one charge at a time.
        """
        CREATE UNIQUE INDEX charge_once ON charge (customer_id, item_id)
            WHERE is_owned_once = 1 AND \(Charge.State.underWay)
        """,
        """
        CREATE TABLE charge_history (
            charge_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, state \(.text) NOT NULL, attempt \(.integer) NOT NULL, detail \(.text),
            actor \(.text) NOT NULL, request_id \(.text),
            PRIMARY KEY (charge_id, number)
        ) \(.keyedTable)
        """,
        """
        CREATE TABLE refund (
            id \(.integer) NOT NULL PRIMARY KEY, charge_id \(.integer) NOT NULL, transaction_id \(.integer) NOT NULL,
            customer_id \(.integer) NOT NULL, kind \(.text) NOT NULL, revokes \(.integer) NOT NULL,
            reason \(.integer) NOT NULL, amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            percentage \(.integer) NOT NULL, refund_key \(.text), state \(.text) NOT NULL, failure \(.text),
            reference \(.text), requested_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL
        ) \(.table)
        """,
        "CREATE INDEX refund_of_transaction ON refund (transaction_id, id)",
        // A charge is refunded whole once; a refund that failed makes room for another.
        "CREATE UNIQUE INDEX refund_whole ON refund (charge_id) WHERE kind = 'full' AND state <> 'failed'",
        // The unused part of a period that something else replaced is given back once: the charge is that of the period.
        """
        CREATE UNIQUE INDEX refund_proration ON refund (charge_id)
            WHERE kind = 'proration' AND refund_key IS NULL AND state NOT IN ('failed', 'reversed')
        """,
        "CREATE UNIQUE INDEX refund_by_key ON refund (charge_id, refund_key) WHERE refund_key IS NOT NULL",
        "CREATE INDEX refund_under_way ON refund (state, id) WHERE state = 'refunding'",
        """
        CREATE TABLE ledger_entry (
            id \(.integer) NOT NULL PRIMARY KEY, kind \(.text) NOT NULL, subject \(.integer) NOT NULL,
            transaction_id \(.integer) NOT NULL, at \(.integer) NOT NULL
        ) \(.table)
        """,
        // A subject is booked once, whatever else goes wrong.
        "CREATE UNIQUE INDEX ledger_entry_of_subject ON ledger_entry (kind, subject)",
        "CREATE INDEX ledger_entry_of_transaction ON ledger_entry (transaction_id, id)",
        """
        CREATE TABLE ledger_posting (
            entry_id \(.integer) NOT NULL, line \(.integer) NOT NULL, account \(.text) NOT NULL,
            amount \(.integer) NOT NULL, currency \(.text) NOT NULL,
            PRIMARY KEY (entry_id, line)
        ) \(.keyedTable)
        """,
    ]
}

// MARK: States in statements

/// A state that is stored as a word.
protocol StoredState: CaseIterable, RawRepresentable<String> {
    /// The word as a literal of SQL.
    var literal: SQL { get }
}

extension StoredState {
    /// The condition that the column `state` has one of the states that fulfil another condition. An index of some rows is
    /// used for a query that has the same condition.
    static func condition(_ isIncluded: (Self) -> Bool) -> SQL { "state IN " + list(isIncluded) }

    /// The states that fulfil a condition, as a list in parentheses.
    static func list(_ isIncluded: (Self) -> Bool) -> SQL {
        let literals = allCases.filter(isIncluded).map(\.literal)
        return "(" + literals.dropFirst().reduce(literals.first ?? "''") { $0 + ", " + $1 } + ")"
    }
}

extension Refund.State: StoredState {
    var literal: SQL {
        switch self {
        case .refunding: "'refunding'"
        case .refunded: "'refunded'"
        case .failed: "'failed'"
        case .reversed: "'reversed'"
        }
    }

    /// Those in which the customer had the money.
    static let given = list { $0 == .refunded || $0 == .reversed }
    /// Those in which the customer has the money, or will.
    static let standing = list { $0 == .refunding || $0 == .refunded }
}

extension Charge.State: StoredState {
    var literal: SQL {
        switch self {
        case .authorising: "'authorising'"
        case .action: "'action'"
        case .capturing: "'capturing'"
        case .voiding: "'voiding'"
        case .declined: "'declined'"
        case .captured: "'captured'"
        case .released: "'released'"
        }
    }

    static let underWay = condition(\.isUnderWay)
}

extension Purchase.State: StoredState {
    var literal: SQL {
        switch self {
        case .signIn: "'sign-in'"
        case .confirmation: "'confirmation'"
        case .interrupted: "'interrupted'"
        case .approval: "'approval'"
        case .charging: "'charging'"
        case .purchased: "'purchased'"
        case .declined: "'declined'"
        case .cancelled: "'cancelled'"
        case .failed: "'failed'"
        }
    }

    static let notFinal = condition { !$0.isFinal }
    static let cameToNothing = condition { $0 == .cancelled || $0 == .failed }
}
