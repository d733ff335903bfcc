import StoreDatabase

/// Statements that fill the database of an environment with customers who have bought things, in either dialect. `$1` is how
/// many customers; each has a device, and five non-consumables that were bought, paid, booked and finished.
enum StoreFiller {
    static let purchasesPerCustomer = 5
    /// The number before that of the first transaction.
    static let firstTransaction: Int64 = 2_000_000_000_000_000
    static let statements: [SQL] =
        [customers, paymentMethods, devices, downloads] + [
            purchases, history, orders, charges, chargeHistory, transactions, revisions, finishes, events, entries,
            postings,
        ] + [sequences]

    /// Customers with their devices who have bought nothing.
    static let withoutPurchases: [SQL] = [customers, paymentMethods, devices, downloads, sequences]

    /// Periods of a subscription of the first customer; `$1` is how many.
    static let renewals: SQL = """
        INSERT INTO store_transaction (
            id, original_id, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind, quantity,
            purchase_date, original_purchase_date, expires_date, web_order_line_item_id, group_id, storefront, price,
            currency, reason)
        \(people) SELECT 2000000500000000 + n, 2000000500000001, 1, 1, 42, 'com.example.monkey', 1007,
            'com.example.monkey.monthly', 'Auto-Renewable Subscription', 1, 1700000000000 + n * 3600000,
            1700003600000, 1700003600000 + n * 3600000, 2000000500000000 + n, '20001', 'USA', 499, 'USD',
            'RENEWAL' FROM number
        """

    /// Customers whose history has more than one page.
    static let readers = 64
    /// The number before that of the first transaction of such a history.
    static let firstPeriod: Int64 = 2_000_000_600_000_000
    /// Periods of subscriptions of these customers; `$1` is how many of all together.
    static let histories: [SQL] = [
        """
        INSERT INTO store_transaction (
            id, original_id, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind, quantity,
            purchase_date, original_purchase_date, expires_date, web_order_line_item_id, group_id, storefront, price,
            currency, reason)
        \(people) SELECT \(period), 2000000600000000 + \(reader), \(reader), \(reader), 42, 'com.example.monkey', 1007,
            'com.example.monkey.monthly', 'Auto-Renewable Subscription', 1, 1700000000000 + n * 3600000,
            1700003600000, 1700003600000 + n * 3600000, \(period), '20001', 'USA', 499, 'USD',
            'RENEWAL' FROM number
        """,
        """
        INSERT INTO transaction_revision (transaction_id, customer_id, app_id, revision)
        \(people) SELECT \(period), \(reader), 42, 6 + (n - 1) / 64 FROM number
        """,
    ]
    private static let period: SQL = "(2000000600000000 + n)"
    private static let reader: SQL = "((n - 1) % 64 + 1)"

    /// Receivers of so many apps; `$2` is their address.
    static let receivers: SQL = """
        INSERT INTO notification_setting (app_id, url, version, retries, set_at, actor)
        \(people) SELECT 1000000 + n, $2, 2, 0, 1760000000000, 'owner' FROM number
        """
    /// A notification for each of them.
    static let notifications: SQL = """
        INSERT INTO notification (
            stream, number, uuid, app_id, clock_id, type, content, signed_at, written_at, state, version, attempts)
        \(people) SELECT 'app/' || (1000000 + n), 1, '00000000-0000-4000-8000-' || \(digits), 1000000 + n, 0, 'TEST',
            \(content), 1760000000000, 1760000000000, 'waiting', 2, 0 FROM number
        """
    private static let content: SQL = """
        \(DialectPart(
            sqlite: "CAST('{\"bundleId\":\"com.example.monkey\"}' AS BLOB)",
            postgres: "convert_to('{\"bundleId\":\"com.example.monkey\"}', 'UTF8')"))
        """

    private static let people: SQL = """
        WITH RECURSIVE number(n) AS (
            SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM number WHERE n < CAST($1 AS BIGINT))
        """
    private static let sales: SQL = """
        WITH RECURSIVE number(n) AS (
            SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM number WHERE n < 5 * CAST($1 AS BIGINT))
        """
    /// The purchases of a customer lie as far apart as those of a store's customers do.
    private static let customer: SQL = "((n - 1) % CAST($1 AS BIGINT) + 1)"
    /// Which of the five it is, from 1.
    private static let item: SQL = "((n - 1) / CAST($1 AS BIGINT) + 1)"
    private static let transaction: SQL = "(2000000000000000 + n)"
    private static let time: SQL = "(1760000000000 + n * 1000)"
    private static let digits: SQL = "\(DialectPart(sqlite: "printf('%012d', n)", postgres: "lpad(n::text, 12, '0')"))"
    private static let bytes: SQL =
        "\(DialectPart(sqlite: "CAST('0123456789' || n AS BLOB)", postgres: "convert_to('0123456789' || n, 'UTF8')"))"
    /// Spread over the index as random ids are.
    private static let request: SQL = """
        \(DialectPart(
            sqlite: "printf('%08x-%d', n * 2654435761 % 4294967296, n)",
            postgres: "lpad(to_hex(n * 2654435761 % 4294967296), 8, '0') || '-' || n"))
        """

    private static let customers: SQL = """
        INSERT INTO customer (
            id, email, email_key, kind, first_name, last_name, storefront, purchases_allowed, interrupts_purchases,
            clock_id, created_at)
        \(people) SELECT n, 'customer' || n || '@example.com', 'customer' || n || '@example.com', 'tester', 'Ann',
            'Example', 'USA', 1, 0, 0, 1760000000000 FROM number
        """
    private static let paymentMethods: SQL = """
        INSERT INTO payment_method (id, customer_id, processor, token, label, created_at)
        \(people) SELECT n, n, 'test', 'test_approved', 'Test card', 1760000000000 FROM number
        """
    private static let devices: SQL = """
        INSERT INTO device (
            id, app_id, bundle_id, public_key, key_hash, identifier, vendor_identifier, token_hash, token_expires_at,
            customer_id, storefront, language, app_version, original_app_version, app_transaction_id,
            purchases_allowed, is_simulator, profile_revision, registered_at, seen_at)
        \(people) SELECT n, 42, 'com.example.monkey', \(bytes), \(bytes), \(bytes),
            '00000000-0000-4000-8000-' || \(digits), \(bytes), 9000000000000, n, 'USA', 'en-US', '2.1', '1.4',
            2700000000000000 + n, 1, 0, 1000000, 1760000000000, 1760000000000 FROM number
        """
    private static let downloads: SQL = """
        INSERT INTO app_download (customer_id, app_id, app_transaction_id, version, at)
        \(people) SELECT n, 42, 2700000000000000 + n, '2.1', 1760000000000 FROM number
        """
    private static let purchases: SQL = """
        INSERT INTO purchase (
            id, device_id, purchase_key, fingerprint, customer_id, app_id, bundle_id, item_id, product_id, kind,
            quantity, storefront, unit_price, total, currency, state, transaction_id, opened_at, changed_at, expires_at, history_count)
        \(sales) SELECT n, \(customer), '00000000-0000-4000-8000-' || \(digits), \(bytes), \(customer), 42,
            'com.example.monkey', 1000 + \(item), 'com.example.monkey.level.' || \(item), 'Non-Consumable', 1, 'USA',
            199, 199, 'USD', 'purchased', \(transaction),
            \(time), \(time), 1760000000000, 3 FROM number
        """
    private static let history: SQL = """
        INSERT INTO purchase_history (purchase_id, number, at, event, state, detail, actor, request_id)
        \(sales) SELECT n, line, \(time), event, state, NULL, 'customer', \(request) FROM number CROSS JOIN (
            SELECT 1 AS line, 'opened' AS event, 'confirmation' AS state
            UNION ALL SELECT 2, 'confirmed', 'charging' UNION ALL SELECT 3, 'captured', 'purchased') AS step
        """
    private static let orders: SQL = """
        INSERT INTO sale_order (
            id, origin, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind, quantity, storefront,
            unit_price, currency, total, commission, request_id, ordered_at)
        \(sales) SELECT n, 'purchase', \(customer), \(customer), 42, 'com.example.monkey', 1000 + \(item),
            'com.example.monkey.level.' || \(item), 'Non-Consumable', 1, 'USA', 199, 'USD', 199, 60, \(request),
            \(time) FROM number
        """
    private static let charges: SQL = """
        INSERT INTO charge (
            id, customer_id, payer_id, item_id, is_owned_once, payment_method_id, description, amount, currency,
            is_attended, state, attempt, authorisation, capture, refunded, opened_at, changed_at, expires_at,
            history_count)
        \(sales) SELECT n, \(customer), \(customer), 1000 + \(item), 1, \(customer),
            'com.example.monkey com.example.monkey.level.' || \(item), 199, 'USD', 1, 'captured', 1,
            'auth_' || \(digits), 'capture_' || \(digits), 0, \(time), \(time), 1760000000000, 2 FROM number
        """
    private static let chargeHistory: SQL = """
        INSERT INTO charge_history (charge_id, number, at, event, state, attempt, detail, actor, request_id)
        \(sales) SELECT n, line, \(time), event, state, 1, NULL, 'customer', \(request) FROM number CROSS JOIN (
            SELECT 1 AS line, 'authorised' AS event, 'capturing' AS state
            UNION ALL SELECT 2, 'captured', 'captured') AS step
        """
    private static let transactions: SQL = """
        INSERT INTO store_transaction (
            id, original_id, order_id, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind,
            quantity, purchase_date, original_purchase_date, storefront, price, currency, reason)
        \(sales) SELECT \(transaction), \(transaction), n, \(customer), \(customer), 42, 'com.example.monkey',
            1000 + \(item), 'com.example.monkey.level.' || \(item), 'Non-Consumable', 1, \(time), \(time), 'USA', 199,
            'USD', 'PURCHASE' FROM number
        """
    private static let revisions: SQL = """
        INSERT INTO transaction_revision (transaction_id, customer_id, app_id, revision)
        \(sales) SELECT \(transaction), \(customer), 42, \(item) FROM number
        """
    private static let finishes: SQL = """
        INSERT INTO transaction_finish (transaction_id, device_id, finished_at)
        \(sales) SELECT \(transaction), \(customer), \(time) FROM number
        """
    private static let events: SQL = """
        INSERT INTO customer_event (customer_id, app_id, number, device_id, kind, purchase_id, transaction_id, at,
            written_at)
        \(sales) SELECT \(customer), 42, \(item), \(customer), 'transaction', n, \(transaction), \(time), \(time) FROM number
        """
    private static let entries: SQL = """
        INSERT INTO ledger_entry (id, kind, subject, transaction_id, at)
        \(sales) SELECT n, 'sale', n, \(transaction), \(time) FROM number
        """
    private static let postings: SQL = """
        INSERT INTO ledger_posting (entry_id, line, account, amount, currency)
        \(sales) SELECT n, line, account, amount, 'USD' FROM number CROSS JOIN (
            SELECT 1 AS line, 'processor' AS account, 199 AS amount UNION ALL SELECT 2, 'commission', -60
            UNION ALL SELECT 3, 'proceeds/42', -139) AS posting
        """
    private static let sequences: SQL = """
        INSERT INTO sequence (name, last, epoch)
        SELECT 'purchase', 5 * CAST($1 AS BIGINT), '' UNION ALL SELECT 'ledger_entry', 5 * CAST($1 AS BIGINT), ''
        UNION ALL SELECT 'transaction', 2000000000000000 + 5 * CAST($1 AS BIGINT), ''
        """
}
