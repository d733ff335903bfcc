import StoreModel
import StoreService
import StoreSigning

extension AnswerWriter {
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
    private mutating func purchase(_ purchase: PurchaseReceipt, _ entry: ReceiptAccount.Entry?) {
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

    private mutating func books(_ entry: ReceiptAccount.Entry?) {
        guard let entry else { return }
        text("in_app_ownership_type", OwnershipType.purchased.rawValue)
        text("app_account_token", entry.accountToken?.description)
    }

    /// One of `latest_receipt_info`.
    mutating func latest(_ transaction: ReceiptLine) {
        let renews = transaction.kind == .autoRenewable
        quoted("quantity", Int64(transaction.quantity))
        text("product_id", transaction.productID.text)
        quoted("transaction_id", transaction.id.number)
        quoted("original_transaction_id", transaction.originalID.number)
        dates("purchase_date", transaction.purchaseDate.wholeSeconds)
        dates("original_purchase_date", transaction.originalPurchaseDate.wholeSeconds)
        dates("expires_date", transaction.expiresDate?.wholeSeconds)
        quoted("web_order_line_item_id", transaction.webOrderLineItemID?.number)
        text("is_trial_period", "false")
        if renews { text("is_in_intro_offer_period", "false") }
        text("in_app_ownership_type", OwnershipType.purchased.rawValue)
        text("subscription_group_identifier", transaction.groupID?.text)
        text("app_account_token", transaction.accountToken?.description)
        dates("cancellation_date", transaction.revocation?.revokedAt.wholeSeconds)
        quoted("cancellation_reason", transaction.revocation.map { Int64($0.reason.rawValue) })
    }
}

extension Instant {
    /// As receipts count, so that one transaction has one date wherever it is told of.
    fileprivate var wholeSeconds: Instant {
        let part = millisecondsSinceEpoch % 1000
        return Instant(millisecondsSinceEpoch: millisecondsSinceEpoch - (part < 0 ? part + 1000 : part))
    }
}
