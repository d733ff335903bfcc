import StoreHTTP
import StoreModel
package import StoreService
import StoreSigning

/// The answers of `verifyReceipt`: always 200, the outcome in `status`.
package enum VerifyReceiptAnswer {
    static func response(_ bytes: [UInt8]) -> HTTPResponse {
        var response = HTTPResponse(.ok, bytes, as: "application/json")
        response.fields["Cache-Control"] = "no-store"
        return response
    }

    /// A receipt that is not verified.
    static func refusal(_ status: VerificationStatus) -> HTTPResponse {
        var writer = AnswerWriter(reserving: 64)
        writer.object { writer in
            writer.number("status", Int64(status.rawValue))
            if let isRetryable = status.isRetryable { writer.flag("is-retryable", isRetryable) }
        }
        return response(writer.bytes)
    }

    /// A receipt that is.
    static func success(
        _ verification: Verification, in environment: StoreEnvironment
    ) -> HTTPResponse {
        let environment = WireEnvironment(environment).rawValue
        switch verification {
        case .app(let found): return response(app(found, environment, at: verification.at))
        case .transaction(let verification): return response(transaction(verification, environment))
        }
    }

    /// About what one purchase takes in an answer, in bytes, and what the rest does.
    private static let (purchaseBytes, restBytes) = (900, 1200)

    private static func app(_ verification: AppVerification, _ environment: String, at instant: Instant) -> [UInt8] {
        let latest = verification.latest
        let count = verification.receipt.purchases.count + (latest?.transactions.count ?? 0)
        var writer = AnswerWriter(
            reserving: restBytes + count * purchaseBytes + (latest?.receipt.count ?? 0) * 4 / 3)
        writer.object { writer in
            writer.receipt(verification, at: instant)
            if let latest { writer.latest(latest) }
            writer.text("environment", environment)
            writer.number("status", Int64(VerificationStatus.valid.rawValue))
        }
        return writer.bytes
    }

    /// The receipt in a notification of version 1, which is such an answer without what was asked.
    package static func unified(_ receipt: UnifiedReceipt) -> [UInt8] {
        let latest = receipt.latest
        var writer = AnswerWriter(
            reserving: restBytes + latest.transactions.count * purchaseBytes + latest.receipt.count * 4 / 3)
        writer.object { writer in
            writer.number("status", Int64(VerificationStatus.valid.rawValue))
            writer.text("environment", WireEnvironment(receipt.environment).rawValue)
            writer.latest(latest)
        }
        return writer.bytes
    }

    private static func transaction(_ verification: TransactionVerification, _ environment: String) -> [UInt8] {
        let isExpired = verification.latest?.isExpired ?? false
        let entry = verification.account[verification.receipt.transactionID]
        var writer = AnswerWriter(reserving: restBytes)
        writer.object { writer in
            writer.receipt("receipt", verification.receipt, entry)
            if let latest = verification.latest {
                if !isExpired { writer.text("latest_receipt", Base64.encode(latest.signed)) }
                writer.receipt(
                    isExpired ? "latest_expired_receipt_info" : "latest_receipt_info", latest.receipt,
                    latest.standing)
                if let renewal = latest.renewal { writer.renewal(renewal) }
            }
            writer.text("environment", environment)
            writer.number("status", Int64((isExpired ? VerificationStatus.expired : .valid).rawValue))
        }
        return writer.bytes
    }
}

extension AnswerWriter {
    /// How things stand now.
    mutating func latest(_ latest: AppVerification.Latest) {
        text("latest_receipt", Base64.encode(latest.receipt))
        array("latest_receipt_info") { writer in
            for transaction in latest.transactions { writer.object { $0.latest(transaction) } }
        }
        array("pending_renewal_info") { writer in
            for renewal in latest.renewals { writer.object { $0.pending(renewal) } }
        }
    }

    /// The `receipt` of an app receipt.
    mutating func receipt(_ verification: AppVerification, at instant: Instant) {
        let receipt = verification.receipt
        object("receipt") { writer in
            writer.text("receipt_type", receipt.type.rawValue)
            writer.number("adam_id", receipt.appID)
            writer.number("app_item_id", receipt.appID)
            writer.text("bundle_id", receipt.bundleID)
            writer.text("application_version", receipt.applicationVersion)
            writer.number("download_id", receipt.downloadID)
            writer.number("version_external_identifier", receipt.versionExternalIdentifier)
            writer.dates("receipt_creation_date", receipt.creationDate)
            writer.dates("request_date", instant)
            writer.dates("original_purchase_date", receipt.originalPurchaseDate)
            writer.text("original_application_version", receipt.originalApplicationVersion)
            writer.dates("preorder_date", receipt.preorderDate)
            writer.dates("expiration_date", receipt.expirationDate)
            writer.array("in_app") { writer in
                // By their places: none of them is copied to be written.
                for index in receipt.purchases.indices {
                    let entry = verification.account?[receipt.purchases[index].transactionID]
                    writer.object { $0.purchase(receipt.purchases[index], entry) }
                }
            }
        }
    }

    /// One of `in_app`: what the receipt says, and what the books say today.
    private mutating func purchase(_ purchase: PurchaseReceipt, _ entry: ReceiptStanding?) {
        quoted("quantity", purchase.quantity)
        text("product_id", purchase.productID)
        text("transaction_id", purchase.transactionID)
        text("original_transaction_id", purchase.originalTransactionID)
        dates("purchase_date", purchase.purchaseDate)
        dates("original_purchase_date", purchase.originalPurchaseDate)
        dates("expires_date", purchase.expirationDate)
        quoted("web_order_line_item_id", purchase.webOrderLineItemID)
        text("is_trial_period", purchase.isTrialPeriod == true ? "true" : "false")
        if purchase.kind == .autoRenewable {
            text("is_in_intro_offer_period", purchase.isInIntroductoryPeriod == true ? "true" : "false")
        }
        text("promotional_offer_id", purchase.promotionalOfferID)
        books(entry)
        // What was taken back after the receipt was made, only the books know.
        let date = entry?.revocation.map(\.revokedAt.wholeSeconds) ?? purchase.cancellationDate
        dates("cancellation_date", date)
        if date != nil {
            let reason = entry?.revocation.map { Int64($0.reason.rawValue) } ?? purchase.cancellationReason
            quoted("cancellation_reason", reason)
        }
    }

    private mutating func books(_ entry: ReceiptStanding?) {
        guard let entry else { return }
        text("offer_code_ref_name", entry.offer?.codeName)
        text("in_app_ownership_type", entry.ownership.rawValue)
        text("app_account_token", entry.accountToken?.description)
    }

    /// One of `latest_receipt_info`.
    mutating func latest(_ transaction: ReceiptLine) {
        let (standing, renews) = (transaction.standing, transaction.kind == .autoRenewable)
        quoted("quantity", Int64(transaction.quantity))
        text("product_id", transaction.productID.text)
        quoted("transaction_id", transaction.id.number)
        quoted("original_transaction_id", transaction.originalID.number)
        dates("purchase_date", transaction.purchaseDate.wholeSeconds)
        dates("original_purchase_date", transaction.originalPurchaseDate.wholeSeconds)
        dates("expires_date", transaction.expiresDate?.wholeSeconds)
        quoted("web_order_line_item_id", transaction.webOrderLineItemID?.number)
        text("is_trial_period", standing.offer?.isTrial == true ? "true" : "false")
        if renews { text("is_in_intro_offer_period", standing.offer?.isIntroductory == true ? "true" : "false") }
        if transaction.isUpgraded { text("is_upgraded", "true") }
        text("promotional_offer_id", standing.offer?.promotionalID)
        text("offer_code_ref_name", standing.offer?.codeName)
        text("in_app_ownership_type", standing.ownership.rawValue)
        text("subscription_group_identifier", standing.groupID?.text)
        text("app_account_token", standing.accountToken?.description)
        dates("cancellation_date", standing.revocation?.revokedAt.wholeSeconds)
        quoted("cancellation_reason", standing.revocation.map { Int64($0.reason.rawValue) })
    }

    /// One of `pending_renewal_info`.
    mutating func pending(_ renewal: PendingRenewal) {
        text("auto_renew_product_id", renewal.nextProduct.text)
        text("product_id", renewal.product.text)
        quoted("original_transaction_id", renewal.original.number)
        quoted("auto_renew_status", Int64(renewal.status.rawValue))
        ending(renewal)
        dates("grace_period_expires_date", renewal.graceEndsAt?.wholeSeconds)
        quoted("price_consent_status", renewal.consent.map { Int64($0.rawValue) })
        quoted("price_increase_status", renewal.increase.map { Int64($0.rawValue) })
        text("promotional_offer_id", renewal.offer?.promotionalID)
        text("offer_code_ref_name", renewal.offer?.codeName)
    }

    /// The same beside a receipt in the form of iOS 6, where the status is a number.
    mutating func renewal(_ renewal: PendingRenewal) {
        number("auto_renew_status", Int64(renewal.status.rawValue))
        text("auto_renew_product_id", renewal.nextProduct.text)
        ending(renewal)
    }

    private mutating func ending(_ renewal: PendingRenewal) {
        quoted("expiration_intent", renewal.intent.map { Int64($0.rawValue) })
        quoted("is_in_billing_retry_period", renewal.isRetried.map { $0 ? 1 : 0 })
    }
}

extension Instant {
    /// As receipts count, so that one transaction has one date wherever it is told of.
    fileprivate var wholeSeconds: Instant {
        let part = millisecondsSinceEpoch % 1000
        return Instant(millisecondsSinceEpoch: millisecondsSinceEpoch - (part < 0 ? part + 1000 : part))
    }
}

extension AnswerWriter {
    /// A receipt in the form of iOS 6: `receipt`, or `latest_receipt_info`.
    mutating func receipt(
        _ name: StaticString, _ receipt: TransactionReceipt, _ entry: ReceiptStanding?
    ) {
        object(name) { writer in
            writer.text("quantity", String(receipt.quantity))
            writer.text("product_id", receipt.productID)
            writer.text("transaction_id", receipt.transactionID)
            writer.text("original_transaction_id", receipt.originalTransactionID)
            writer.dates("purchase_date", receipt.purchaseDate)
            writer.dates("original_purchase_date", receipt.originalPurchaseDate)
            writer.text("item_id", receipt.itemID)
            writer.text("app_item_id", receipt.appItemID)
            writer.text("version_external_identifier", receipt.versionExternalIdentifier)
            writer.text("bid", receipt.bundleID)
            writer.text("bvrs", receipt.applicationVersion)
            writer.text("unique_identifier", receipt.uniqueIdentifier)
            writer.text("unique_vendor_identifier", receipt.uniqueVendorIdentifier)
            if receipt.expirationDate != nil { writer.subscription(receipt, entry) }
            writer.dates("cancellation_date", entry?.revocation?.revokedAt)
            writer.text("cancellation_reason", entry?.revocation.map { String($0.reason.rawValue) })
        }
    }

    private mutating func subscription(_ receipt: TransactionReceipt, _ entry: ReceiptStanding?) {
        // Here, unlike everywhere else, the plain name has the milliseconds.
        text("expires_date", receipt.expirationDate?.millisecondsText)
        text("expires_date_formatted", receipt.expirationDate?.gmtText)
        text("expires_date_formatted_pst", receipt.expirationDate?.pacificText)
        text("web_order_line_item_id", receipt.webOrderLineItemID)
        text("is_trial_period", receipt.isTrialPeriod == true ? "true" : "false")
        text("is_in_intro_offer_period", entry?.offer?.isIntroductory == true ? "true" : "false")
        text("subscription_group_identifier", entry?.groupID?.text)
        text("in_app_ownership_type", entry?.ownership.rawValue)
    }
}
