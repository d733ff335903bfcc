import StoreHTTP

/// What the messages of `verifyReceipt` look like, in the words of the App Store.
enum VerifyReceiptSchemas {
    static let request = JSONSchema.object(
        [
            "receipt-data": .string("The receipt in Base64."),
            "password": .nullable(.string("The shared secret; only for receipts with auto-renewable subscriptions.")),
            "exclude-old-transactions": .nullable(.boolean("Of each subscription only the newest.")),
        ], optional: ["password", "exclude-old-transactions"])

    static let answer = JSONSchema.object(
        [
            "status": .integer("0 for a good receipt; the others are in Receipts.md.", minimum: 0, maximum: 21199),
            "is-retryable": .boolean("With the statuses 21100 to 21199."),
            "environment": .string(among: ["Production", "Sandbox"]),
            "receipt": .either(appReceipt, transactionReceipt),
            "latest_receipt": .string("The newest receipt, in Base64."),
            "latest_receipt_info": .either(
                .array(of: transaction), transactionReceipt,
                description: "Of an app receipt the newest transactions, of one of iOS 6 the newest receipt."),
            "latest_expired_receipt_info": transactionReceipt,
        ],
        optional: [
            "is-retryable", "environment", "receipt", "latest_receipt", "latest_receipt_info",
            "latest_expired_receipt_info",
        ])

    private static let appReceipt = object(
        texts: ["receipt_type", "bundle_id", "application_version", "original_application_version"],
        numbers: ["adam_id", "app_item_id", "download_id", "version_external_identifier"],
        dates: ["receipt_creation_date", "request_date", "original_purchase_date"],
        optionalDates: ["preorder_date", "expiration_date"], more: [("in_app", .array(of: transaction))])

    /// One of `in_app` and of `latest_receipt_info`.
    private static let transaction = object(
        texts: ["quantity", "product_id", "transaction_id", "original_transaction_id", "is_trial_period"],
        optionalTexts: [
            "web_order_line_item_id", "is_in_intro_offer_period", "promotional_offer_id", "in_app_ownership_type",
            "app_account_token", "subscription_group_identifier", "cancellation_reason",
        ], dates: ["purchase_date", "original_purchase_date"], optionalDates: ["expires_date", "cancellation_date"])

    /// A receipt in the form of iOS 6.
    private static let transactionReceipt = object(
        texts: [
            "quantity", "product_id", "transaction_id", "original_transaction_id", "item_id", "bid", "bvrs",
            "unique_identifier", "unique_vendor_identifier",
        ],
        optionalTexts: [
            "app_item_id", "version_external_identifier", "expires_date", "expires_date_formatted",
            "expires_date_formatted_pst", "web_order_line_item_id",
            "is_trial_period", "is_in_intro_offer_period", "subscription_group_identifier", "in_app_ownership_type",
            "cancellation_reason",
        ], dates: ["purchase_date", "original_purchase_date"], optionalDates: ["cancellation_date"])

    /// Numbers in texts, as there; a date has three forms.
    private static func object(
        texts: [String], optionalTexts: [String] = [], numbers: [String] = [], dates: [String],
        optionalDates: [String] = [], more: [(name: String, schema: JSONSchema)] = []
    ) -> JSONSchema {
        func forms(_ names: [String]) -> [String] { names.flatMap { [$0, "\($0)_ms", "\($0)_pst"] } }
        let optional = optionalTexts + forms(optionalDates)
        return .object(
            (texts + forms(dates) + optional).map { ($0, .string()) } + numbers.map { ($0, .integer()) } + more,
            optional: Set(optional))
    }
}
