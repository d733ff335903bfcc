import StoreDatabase
import StoreModel
import StoreRules

/// The tables of an environment that are about subscriptions.
///
/// A subscription is the place of a customer in a group: it has the number of its first transaction, and there is one, however
/// often it lapses and is bought again.
enum SubscriptionTables {
    static let statements: [SQL] =
        tables + offerColumns("purchase") + offerColumns("sale_order") + [
            "ALTER TABLE store_transaction ADD COLUMN offer_type \(.integer)",
            "ALTER TABLE store_transaction ADD COLUMN offer_id \(.text)",
            "ALTER TABLE store_transaction ADD COLUMN offer_mode \(.text)",
            "ALTER TABLE store_transaction ADD COLUMN offer_period \(.text)",
            "ALTER TABLE sale_order ADD COLUMN subscription_id \(.integer)",
            "ALTER TABLE sale_order ADD COLUMN subscription_order \(.integer)",
            // Each renewal is ordered once, whatever else goes wrong.
            """
            CREATE UNIQUE INDEX sale_order_of_subscription ON sale_order (subscription_id, subscription_order)
                WHERE subscription_id IS NOT NULL
            """,
            "CREATE INDEX transaction_by_original ON store_transaction (original_id, id)",
            "ALTER TABLE customer ADD COLUMN renewal_rate \(.text)",
        ]

    /// What lists and the figures of the overview are read from, so that neither looks through all subscriptions and
    /// transactions. A renewal changes one of them.
    static let figures: [SQL] = [
        "CREATE INDEX subscription_of_product ON subscription (product_id, original_id)",
        "CREATE INDEX subscription_of_state ON subscription (state, original_id)",
        """
        CREATE INDEX subscription_income ON subscription
            (state, currency, price, period, offer_mode, offer_price, offer_period)
        """,
        "CREATE INDEX subscription_ended ON subscription (state, counts_until)",
        "CREATE INDEX transaction_renewal ON store_transaction (purchase_date) WHERE \(renewal)",
        "CREATE INDEX transaction_trial ON store_transaction (expires_date, original_id, id) WHERE \(trial)",
    ]

    /// What runs until a period begins that was paid ahead and is of another plan.
    static let running: [SQL] = [
        "ALTER TABLE subscription ADD COLUMN running_item_id \(.integer)",
        "ALTER TABLE subscription ADD COLUMN running_product_id \(.text)",
        "ALTER TABLE subscription ADD COLUMN running_period \(.text)",
        "ALTER TABLE subscription ADD COLUMN running_level \(.integer)",
        "ALTER TABLE subscription ADD COLUMN running_price \(.integer)",
        "ALTER TABLE subscription ADD COLUMN running_since \(.integer)",
    ]

    /// The condition of a transaction that renewed a subscription.
    static let renewal: SQL = "reason = 'RENEWAL' AND restored_id IS NULL AND shared_from IS NULL"
    /// That of one which began a free trial.
    static let trial: SQL = "offer_mode = 'FREE_TRIAL' AND restored_id IS NULL AND shared_from IS NULL"

    private static let tables: [SQL] = [
        """
        CREATE TABLE subscription (
            original_id \(.integer) NOT NULL PRIMARY KEY, customer_id \(.integer) NOT NULL, app_id \(.integer) NOT NULL,
            bundle_id \(.text) NOT NULL, group_key \(.text) NOT NULL, group_id \(.text), storefront \(.text) NOT NULL,
            latest_id \(.integer) NOT NULL, account_token \(.text), charge_id \(.integer), orders \(.integer) NOT NULL,
            raised_at \(.integer), counts_until \(.integer) NOT NULL, history_count \(.integer) NOT NULL,
            state \(.text) NOT NULL, currency \(.text) NOT NULL, renews \(.integer) NOT NULL,
            item_id \(.integer) NOT NULL, product_id \(.text) NOT NULL, period \(.text) NOT NULL, level \(.integer),
            price \(.integer) NOT NULL,
            next_item_id \(.integer), next_product_id \(.text), next_period \(.text), next_level \(.integer),
            next_price \(.integer),
            starts_at \(.integer) NOT NULL, ends_at \(.integer) NOT NULL, anchor \(.integer) NOT NULL,
            number \(.integer) NOT NULL, scale \(.text) NOT NULL,
            offer_type \(.integer), offer_id \(.text), offer_mode \(.text), offer_period \(.text),
            offer_count \(.integer), offer_price \(.integer), offer_left \(.integer) NOT NULL,
            next_offer_type \(.integer), next_offer_id \(.text), next_offer_mode \(.text), next_offer_period \(.text),
            next_offer_count \(.integer), next_offer_price \(.integer),
            renewals \(.integer) NOT NULL, began_at \(.integer) NOT NULL, charge_state \(.text) NOT NULL,
            attempted_at \(.integer), grace_ends_at \(.integer), retry_ends_at \(.integer), intent \(.integer),
            revoked_at \(.integer), raised_price \(.integer), raise_needs_consent \(.integer),
            raise_asked_at \(.integer), raise_agreed \(.integer)
        ) \(.table)
        """,
        "CREATE UNIQUE INDEX subscription_of_group ON subscription (customer_id, app_id, group_key)",
        "CREATE INDEX subscription_of_app ON subscription (app_id, original_id)",
        "CREATE INDEX subscription_of_item ON subscription (item_id, original_id)",
        """
        CREATE TABLE subscription_history (
            subscription_id \(.integer) NOT NULL, number \(.integer) NOT NULL, at \(.integer) NOT NULL,
            event \(.text) NOT NULL, state \(.text) NOT NULL, detail \(.text), actor \(.text) NOT NULL,
            request_id \(.text),
            PRIMARY KEY (subscription_id, number)
        ) \(.keyedTable)
        """,
        // Periods that an upgrade ended.
        """
        CREATE TABLE transaction_upgrade (
            transaction_id \(.integer) NOT NULL PRIMARY KEY, upgraded_to \(.integer) NOT NULL,
            upgraded_at \(.integer) NOT NULL
        ) \(.table)
        """,
    ]

    /// What was sold of a subscription besides its product and price.
    private static func offerColumns(_ table: SQL) -> [SQL] {
        [
            "ALTER TABLE \(table) ADD COLUMN level \(.integer)",
            "ALTER TABLE \(table) ADD COLUMN regular_price \(.integer)",
            "ALTER TABLE \(table) ADD COLUMN offer_type \(.integer)",
            "ALTER TABLE \(table) ADD COLUMN offer_id \(.text)",
            "ALTER TABLE \(table) ADD COLUMN offer_mode \(.text)",
            "ALTER TABLE \(table) ADD COLUMN offer_period \(.text)",
            "ALTER TABLE \(table) ADD COLUMN offer_count \(.integer)",
            "ALTER TABLE \(table) ADD COLUMN offer_price \(.integer)",
        ]
    }
}

extension OfferTerms {
    /// The columns that ``next(in:currency:)`` reads.
    static let columns = Columns<OfferTerms?> {
        Column("offer_type") { $0?.kind.type.rawValue }
        Column("offer_id") { $0?.id }
        Column("offer_mode") { $0?.mode.discountType.rawValue }
        Column("offer_period") { $0?.period }
        Column("offer_count") { $0?.count }
        Column("offer_price") { $0?.price.minorUnits }
    }

    /// The offer; nil where the columns are NULL.
    static func next(in cells: inout RowCells, currency: Currency) throws -> OfferTerms? {
        guard let type = try cells.next(as: Int?.self) else {
            cells.skip(5)
            return nil
        }
        let (id, mode) = (try cells.next(as: String?.self), OfferDiscountType(rawValue: try cells.next()))
        guard let kind = OfferKind(OfferType(rawValue: type)), let mode = OfferPaymentMode(mode) else {
            throw DatabaseError(.unexpectedValue, "an offer is of a kind that this version does not know")
        }
        return try OfferTerms(
            kind: kind, id: id, mode: mode,
            period: cells.next(), count: cells.next(), price: Money(minorUnits: cells.next(), currency: currency))
    }
}

extension SubscriptionPlan {
    /// The columns that ``next(in:currency:)`` reads.
    static let columns = Columns<SubscriptionPlan?> {
        Column("item_id") { $0?.item }
        Column("product_id") { $0?.product }
        Column("period") { $0?.period }
        Column("level") { $0?.level }
        Column("price") { $0?.price.minorUnits }
    }

    /// The plan; nil where the columns are NULL.
    static func next(in cells: inout RowCells, currency: Currency) throws -> SubscriptionPlan? {
        guard let item = try cells.next(as: ItemID?.self) else {
            cells.skip(4)
            return nil
        }
        return try SubscriptionPlan(
            item: item, product: cells.next(), period: cells.next(), level: cells.next(),
            price: Money(minorUnits: cells.next(), currency: currency))
    }
}

extension Subscription.State: StoredState {
    var literal: SQL {
        switch self {
        case .active: "'active'"
        case .grace: "'grace'"
        case .retry: "'retry'"
        case .expired: "'expired'"
        case .revoked: "'revoked'"
        }
    }

    static let live = condition(\.isLive)
    static let over = condition { !$0.isLive }
}
