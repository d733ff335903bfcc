import StoreModel

/// The tables of what comes after the periods of subscriptions, and of who was asked to subscribe again. The periods
/// are purchases.
struct SubscriptionTable {
    static let schema = SchemaStep(name: "subscriptions") { _ in
        [
            """
            CREATE TABLE IF NOT EXISTS backend_renewal (
              environment TEXT NOT NULL, original_transaction_id BIGINT NOT NULL, renews BIGINT NOT NULL,
              next_product_id TEXT NOT NULL, renewal_date BIGINT, grace_period_ends BIGINT,
              is_in_billing_retry BIGINT NOT NULL, expiration_intent BIGINT, price_increase BIGINT,
              stated_at BIGINT NOT NULL, is_answer BIGINT NOT NULL, is_uncertain BIGINT NOT NULL,
              PRIMARY KEY (environment, original_transaction_id))
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_prompt (
              environment TEXT NOT NULL, original_transaction_id BIGINT NOT NULL, period_id BIGINT NOT NULL,
              prompted_at BIGINT NOT NULL, PRIMARY KEY (environment, original_transaction_id, period_id))
            """,
            """
            CREATE TABLE IF NOT EXISTS backend_status_question (
              environment TEXT NOT NULL, original_transaction_id BIGINT NOT NULL, asked_at BIGINT NOT NULL,
              PRIMARY KEY (environment, original_transaction_id))
            """,
            "CREATE INDEX IF NOT EXISTS backend_purchase_of_end ON backend_purchase (environment, expires_at)",
        ]
    }

    /// Which subscription.
    struct Key: Hashable, Sendable {
        let environment: StoreEnvironment
        let original: TransactionID

        fileprivate var values: [SQLValue] { [SQLValue(environment), SQLValue(original)] }
    }

    let connection: any BackendConnection

    init(_ connection: any BackendConnection) {
        self.connection = connection
    }

    // MARK: - What is known

    /// Everything that is known of a subscription.
    func record(of key: Key) throws -> SubscriptionRecord {
        SubscriptionRecord(
            periods: try PurchaseTable(connection).transactions(ofOriginal: key.original, in: key.environment)
                .filter { $0.kind == .autoRenewable || $0.kind == nil && $0.expiresDate != nil },
            renewal: try terms(of: key))
    }

    /// The subscriptions of a user that renew themselves.
    func keys(of user: BackendUser) throws -> [Key] {
        try connection.run(
            """
            SELECT environment, original_transaction_id FROM backend_owner o WHERE o.user_id = $1 AND EXISTS (
              SELECT 1 FROM backend_purchase p WHERE p.environment = o.environment
                AND p.original_transaction_id = o.original_transaction_id AND p.expires_at IS NOT NULL)
            ORDER BY o.since DESC, o.original_transaction_id DESC
            """, [.text(user.id)]
        ).map(Key.init)
    }

    private func terms(of key: Key) throws -> RenewalTerms? {
        try connection.run(
            """
            SELECT renews, next_product_id, renewal_date, grace_period_ends, is_in_billing_retry, expiration_intent,
              price_increase, stated_at, is_answer, is_uncertain
            FROM backend_renewal WHERE environment = $1 AND original_transaction_id = $2
            """, key.values
        ).first.map(RenewalTerms.init)
    }

    /// Takes in what the store says of what comes next, unless it has said something later before.
    func take(_ stated: RenewalTerms, of key: Key) throws {
        let held = try terms(of: key)
        let terms = held?.updated(by: stated) ?? stated
        guard terms != held else { return }
        try connection.run(
            """
            INSERT INTO backend_renewal (
              environment, original_transaction_id, renews, next_product_id, renewal_date, grace_period_ends,
              is_in_billing_retry, expiration_intent, price_increase, stated_at, is_answer, is_uncertain)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (environment, original_transaction_id) DO UPDATE SET
              renews = $3, next_product_id = $4, renewal_date = $5, grace_period_ends = $6, is_in_billing_retry = $7,
              expiration_intent = $8, price_increase = $9, stated_at = $10, is_answer = $11, is_uncertain = $12
            """, key.values + terms.values)
    }

    // MARK: - What is asked

    /// The subscriptions of which the store should be asked: two of its statements disagree, or a period has ended and
    /// nobody has said what came after it. Those that were asked for longest ago come first.
    func doubtful(
        in environment: StoreEnvironment, at now: Instant, endedAfter oldest: Instant, askedBefore earlier: Instant,
        atMost limit: Int
    ) throws -> [(key: Key, bundleID: BundleID)] {
        try connection.run(
            """
            SELECT p.environment, p.original_transaction_id, MIN(p.bundle_id) FROM backend_purchase p
            LEFT JOIN backend_renewal r
              ON r.environment = p.environment AND r.original_transaction_id = p.original_transaction_id
            LEFT JOIN backend_status_question q
              ON q.environment = p.environment AND q.original_transaction_id = p.original_transaction_id
            WHERE p.environment = $1 AND p.expires_at > $5
            GROUP BY p.environment, p.original_transaction_id
            HAVING COALESCE(MAX(q.asked_at), 0) < $3 AND (COALESCE(MAX(r.is_uncertain), 0) = 1
              OR MAX(p.expires_at) <= $2
                AND (MAX(r.stated_at) IS NULL OR MAX(r.stated_at) < MAX(p.expires_at) AND MAX(r.renews) = 1))
            ORDER BY COALESCE(MAX(q.asked_at), 0), p.original_transaction_id LIMIT $4
            """,
            [
                SQLValue(environment), SQLValue(now), SQLValue(earlier), .integer(Int64(limit)), SQLValue(oldest),
            ]
        ).map { (try Key($0), try BundleID(parsing: $0.requiredText(2))) }
    }

    /// Notes that the store was asked.
    func noteQuestion(about key: Key, at now: Instant) throws {
        try connection.run(
            """
            INSERT INTO backend_status_question (environment, original_transaction_id, asked_at) VALUES ($1, $2, $3)
            ON CONFLICT (environment, original_transaction_id) DO UPDATE SET asked_at = $3
            """, key.values + [SQLValue(now)])
    }

    // MARK: - Whom apps have asked

    /// When the customer was prompted in a period, and when the last time.
    func prompts(of key: Key, in period: TransactionID) throws -> (inPeriod: Instant?, last: Instant?) {
        let rows = try connection.run(
            """
            SELECT MAX(CASE WHEN period_id = $3 THEN prompted_at END), MAX(prompted_at) FROM backend_prompt
            WHERE environment = $1 AND original_transaction_id = $2
            """, key.values + [SQLValue(period)])
        return (try rows.first?.instant(0), try rows.first?.instant(1))
    }

    /// Notes that the customer is prompted now.
    func notePrompt(of key: Key, in period: TransactionID, at now: Instant) throws {
        try connection.run(
            """
            INSERT INTO backend_prompt (environment, original_transaction_id, period_id, prompted_at)
            VALUES ($1, $2, $3, $4)
            """, key.values + [SQLValue(period), SQLValue(now)])
    }
}

extension SubscriptionTable.Key {
    fileprivate init(_ row: SQLRow) throws {
        environment = try row.environment(0)
        original = try TransactionID(number: row.requiredInteger(1))
    }

    init(_ transaction: VerifiedTransaction) {
        (environment, original) = (transaction.environment, transaction.originalTransactionID)
    }
}

extension RenewalTerms {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            renews: try row.requiredInteger(0) != 0, nextProductID: try ProductID(parsing: row.requiredText(1)),
            renewalDate: try row.instant(2), gracePeriodEnds: try row.instant(3),
            isInBillingRetry: try row.requiredInteger(4) != 0,
            expirationIntent: try row.integer(5).map { ExpirationIntent(rawValue: Int($0)) },
            priceIncrease: try row.integer(6).map { PriceIncreaseStatus(rawValue: Int($0)) },
            statedAt: try row.requiredInstant(7))
        isAnswer = try row.requiredInteger(8) != 0
        isUncertain = try row.requiredInteger(9) != 0
    }

    fileprivate var values: [SQLValue] {
        [
            .integer(renews ? 1 : 0), SQLValue(nextProductID), SQLValue(renewalDate), SQLValue(gracePeriodEnds),
            .integer(isInBillingRetry ? 1 : 0), SQLValue(expirationIntent.map { Int64($0.rawValue) }),
            SQLValue(priceIncrease.map { Int64($0.rawValue) }), SQLValue(statedAt), .integer(isAnswer ? 1 : 0),
            .integer(isUncertain ? 1 : 0),
        ]
    }
}
