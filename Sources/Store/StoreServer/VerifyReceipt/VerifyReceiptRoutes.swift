package import StoreHTTP
package import StoreLog
package import StoreModel
package import StoreService

/// `POST /verifyReceipt`, as servers of developers call it.
///
/// Whatever is wrong, the answer is 200 and the outcome stands in its `status`. In the sandbox, and in a store for development,
/// the header `Till-Reason` says precisely what it was. The log does everywhere, and so does the history of requests.
package struct VerifyReceiptRoutes: Sendable {
    private let environment: StoreEnvironment
    private let verification: ReceiptVerification
    private let clocks: StoreClocks
    private let log: Log
    private let steps: AppSteps?
    private let history: RequestHistory?
    private let tellsReasons: Bool

    /// - Parameters:
    ///   - steps: where it is kept that the server of an app has had a receipt verified.
    ///   - history: where it is kept why one was refused.
    ///   - tellsReasons: whether callers are told that too; nil where those of the sandbox are.
    ///   - clocks: those of the environment.
    package init(
        _ environment: StoreEnvironment, _ verification: ReceiptVerification, log: Log, steps: AppSteps? = nil,
        history: RequestHistory? = nil, tellsReasons: Bool? = nil, clocks: StoreClocks
    ) {
        self.history = history
        self.tellsReasons = tellsReasons ?? (environment == .sandbox)
        self.steps = steps
        self.environment = environment
        self.verification = verification
        self.log = log
        self.clocks = clocks
    }

    package var routes: [Route] {
        let form = VerifyReceiptErrors(refuse: { refuse($0, $1) })
        let all = [.post, .any].map { method in
            Route(
                method, "/verifyReceipt", body: .collected(limit: VerifyReceiptLimits.bodyBytes),
                handler: .suspending { await answer($0) }, errors: form)
        }
        return all.map { $0.method == .post ? $0.documented(Self.documentation) : $0 }
    }

    private static let documentation = OperationDocumentation(
        id: "verifyReceipt", summary: "Whether a receipt is good, and what it and the books say.",
        description: "Whatever is wrong, the answer is 200, and its status says what it was: see Receipts.md.",
        tag: "receipts", body: .json(VerifyReceiptSchemas.request),
        responses: [.init(.ok, "What came of it.", .json(VerifyReceiptSchemas.answer))])

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(ReceiptRefusal) {
            guard request.method == .post else { throw .method(request.method) }
            let asked = try VerificationRequest(body: request.body.bytes)
            let verified = try await verification.verify(asked, by: clocks)
            if let steps, let app = verified.app { await steps.see(.receipt, of: app) }
            return VerifyReceiptAnswer.success(verified, in: environment)
        } catch {
            return refuse(error, request)
        }
    }

    private func refuse(_ refusal: ReceiptRefusal, _ request: HTTPRequest) -> HTTPResponse {
        log.info(
            "receipt.refused", "A receipt was answered with \(refusal.status.rawValue): \(refusal.reason)",
            [
                "request_id": .text(request.id), "status": .number(Int64(refusal.status.rawValue)),
                "reason": .text(refusal.reason),
            ])
        var response = VerifyReceiptAnswer.refusal(refusal.status)
        history?.keep(reason: refusal.reason, of: request.id)
        if tellsReasons { response.fields["Till-Reason"] = refusal.reason }
        return response
    }
}

/// How `verifyReceipt` tells what fails before a body is read: as everything else, with 200 and a status.
struct VerifyReceiptErrors: ErrorForm {
    let refuse: @Sendable (ReceiptRefusal, HTTPRequest) -> HTTPResponse

    func response(to error: APIError, for request: HTTPRequest) -> HTTPResponse {
        guard request.method == .post else { return refuse(.method(request.method), request) }
        let status: VerificationStatus = error.status.rawValue >= 500 ? .internalFailure : .malformed
        return refuse(ReceiptRefusal(status, error.message), request)
    }
}

extension ReceiptRefusal {
    static func method(_ method: HTTPMethod) -> ReceiptRefusal {
        ReceiptRefusal(.notPost, "the method is \(method.rawValue), and has to be POST")
    }
}

/// The limits of what `verifyReceipt` takes.
package enum VerifyReceiptLimits {
    /// A body: the largest receipt in Base64, in lines, and some room for what stands around it.
    package static let bodyBytes = 5 * 1024 * 1024
    /// Objects and arrays within one another.
    static let depth = 32
    /// A password; those of the store have 32 characters.
    static let passwordBytes = 256
}

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
            "pending_renewal_info": .array(of: pendingRenewal),
            "auto_renew_status": .integer("Beside a receipt of iOS 6: whether it renews.", minimum: 0, maximum: 1),
            "auto_renew_product_id": .string("Beside a receipt of iOS 6: what renews."),
            "expiration_intent": .string("Beside a receipt of iOS 6: why it ended."),
            "is_in_billing_retry_period": .string("Beside a receipt of iOS 6: whether it is tried to be paid."),
        ],
        optional: [
            "is-retryable", "environment", "receipt", "latest_receipt", "latest_receipt_info",
            "latest_expired_receipt_info", "pending_renewal_info", "auto_renew_status", "auto_renew_product_id",
            "expiration_intent", "is_in_billing_retry_period",
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
            "app_account_token", "subscription_group_identifier", "cancellation_reason", "is_upgraded",
            "offer_code_ref_name",
        ], dates: ["purchase_date", "original_purchase_date"], optionalDates: ["expires_date", "cancellation_date"])

    /// One of `pending_renewal_info`.
    private static let pendingRenewal = object(
        texts: ["auto_renew_product_id", "product_id", "original_transaction_id", "auto_renew_status"],
        optionalTexts: [
            "expiration_intent", "is_in_billing_retry_period", "price_consent_status", "price_increase_status",
            "promotional_offer_id", "offer_code_ref_name",
        ], dates: [], optionalDates: ["grace_period_expires_date"])

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
