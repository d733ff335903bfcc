\set n :n + 1
\set id :base + :client_id * 1000000 + :n
\set customer :client_id + 1
BEGIN;
INSERT INTO purchase (id, device_id, purchase_key, fingerprint, customer_id, app_id, bundle_id, item_id, product_id, kind, quantity, storefront, unit_price, total, currency, state, code, confirmation_hash, opened_at, changed_at, expires_at, history_count) VALUES (:id, :customer, lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-' || lpad(:id::bigint::text, 12, '0'), decode('0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'hex'), :customer, 42, 'com.example.monkey', 1006, 'com.example.monkey.coins', 'Consumable', 1, 'USA', 199, 199, 'USD', 'confirmation', lpad(to_hex(:id::bigint), 9, '0'), decode('0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'hex'), 1767323045000, 1767323045000, 1767323045000, 1);
INSERT INTO work (clock_id, kind, subject, due_at, attempt) VALUES (-1, 'purchase', :id::bigint::text, 1767323045000 + :id, 0) ON CONFLICT (clock_id, kind, subject) DO UPDATE SET due_at = excluded.due_at, attempt = 0, last_error = NULL, lease = NULL, leased_until = NULL;
INSERT INTO purchase_history (purchase_id, number, at, event, state, detail, actor, request_id) VALUES (:id, 1, 1767323045000, 'opened', 'confirmation', NULL, 'customer', lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-000000000001');
COMMIT;
BEGIN;
INSERT INTO sale_order (id, origin, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind, quantity, storefront, unit_price, currency, total, commission, request_id, ordered_at) VALUES (:id, 'purchase', :customer, :customer, 42, 'com.example.monkey', 1006, 'com.example.monkey.coins', 'Consumable', 1, 'USA', 199, 'USD', 199, 60, lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-000000000002', 1767323045000);
UPDATE customer SET clock_id = clock_id WHERE id = :customer;
INSERT INTO charge (id, customer_id, payer_id, item_id, is_owned_once, payment_method_id, description, amount, currency, is_attended, state, attempt, refunded, opened_at, changed_at, expires_at, history_count) VALUES (:id, :customer, :customer, 1006, 0, :customer, 'com.example.monkey com.example.monkey.coins', 199, 'USD', 1, 'authorising', 1, 0, 1767323045000, 1767323045000, 1767323045000, 0);
INSERT INTO work (clock_id, kind, subject, due_at, attempt) VALUES (-1, 'charge', :id::bigint::text, 1767323046000 + :id, 0) ON CONFLICT (clock_id, kind, subject) DO UPDATE SET due_at = excluded.due_at, attempt = 0, last_error = NULL, lease = NULL, leased_until = NULL;
UPDATE purchase SET state = 'charging', changed_at = 1767323045000, expires_at = 1767323045000, code = NULL, confirmation_hash = NULL, history_count = history_count + 1 WHERE id = :id;
DELETE FROM work WHERE clock_id = -1 AND kind = 'purchase' AND subject = :id::bigint::text;
INSERT INTO purchase_history (purchase_id, number, at, event, state, detail, actor, request_id) VALUES (:id, 2, 1767323045000, 'confirmed', 'charging', NULL, 'customer', lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-000000000002');
COMMIT;
BEGIN;
UPDATE charge SET state = 'capturing', authorisation = 'test_' || :id::bigint::text, changed_at = 1767323045000, expires_at = 1767323045000, history_count = history_count + 1 WHERE id = :id;
INSERT INTO work (clock_id, kind, subject, due_at, attempt) VALUES (-1, 'charge', :id::bigint::text, 1767323046000 + :id, 0) ON CONFLICT (clock_id, kind, subject) DO UPDATE SET due_at = excluded.due_at, attempt = 0, last_error = NULL, lease = NULL, leased_until = NULL;
INSERT INTO charge_history (charge_id, number, at, event, state, attempt, detail, actor, request_id) VALUES (:id, 1, 1767323045000, 'authorised', 'capturing', 1, NULL, 'customer', lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-000000000002');
COMMIT;
BEGIN;
UPDATE charge SET state = 'captured', capture = 'test_' || :id::bigint::text, changed_at = 1767323045000, history_count = history_count + 1 WHERE id = :id;
DELETE FROM work WHERE clock_id = -1 AND kind = 'charge' AND subject = :id::bigint::text;
INSERT INTO charge_history (charge_id, number, at, event, state, attempt, detail, actor, request_id) VALUES (:id, 2, 1767323045000, 'captured', 'captured', 1, NULL, 'customer', lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-000000000002');
INSERT INTO store_transaction (id, original_id, order_id, customer_id, device_id, app_id, bundle_id, item_id, product_id, kind, quantity, purchase_date, original_purchase_date, storefront, price, currency, reason) VALUES (2000000000000000 + :id, 2000000000000000 + :id, :id, :customer, :customer, 42, 'com.example.monkey', 1006, 'com.example.monkey.coins', 'Consumable', 1, 1767323045000, 1767323045000, 'USA', 199, 'USD', 'PURCHASE');
INSERT INTO ledger_entry (id, kind, subject, transaction_id, at) VALUES (:id, 'sale', :id, 2000000000000000 + :id, 1767323045000);
INSERT INTO ledger_posting (entry_id, line, account, amount, currency) VALUES (:id, 1, 'processor', 199, 'USD');
INSERT INTO ledger_posting (entry_id, line, account, amount, currency) VALUES (:id, 2, 'commission', -60, 'USD');
INSERT INTO ledger_posting (entry_id, line, account, amount, currency) VALUES (:id, 3, 'proceeds/42', -139, 'USD');
UPDATE purchase SET state = 'purchased', transaction_id = 2000000000000000 + :id, changed_at = 1767323045000, expires_at = 1767323045000, history_count = history_count + 1 WHERE id = :id;
INSERT INTO purchase_history (purchase_id, number, at, event, state, detail, actor, request_id) VALUES (:id, 3, 1767323045000, 'captured', 'purchased', NULL, 'customer', lpad(to_hex(:id::bigint), 8, '0') || '-0000-4000-8000-000000000002');
UPDATE customer SET clock_id = clock_id WHERE id = :customer;
INSERT INTO customer_event (customer_id, app_id, number, device_id, kind, purchase_id, transaction_id, at, written_at) VALUES (:customer, 42, (SELECT coalesce(max(number), 0) + 1 FROM customer_event WHERE customer_id = :customer AND app_id = 42), :customer, 'transaction', :id, 2000000000000000 + :id, 1767323045000, 1767323045000);
COMMIT;
BEGIN;
INSERT INTO transaction_finish (transaction_id, device_id, finished_at) VALUES (2000000000000000 + :id, :customer, 1767323045000) ON CONFLICT (transaction_id) DO NOTHING;
COMMIT;
