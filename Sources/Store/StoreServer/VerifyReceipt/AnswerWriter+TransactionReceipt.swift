import StoreModel
import StoreService
import StoreSigning

extension AnswerWriter {
    /// A receipt in the form of iOS 6: `receipt`, or `latest_receipt_info`.
    mutating func receipt(
        _ name: StaticString, _ receipt: TransactionReceipt, _ entry: ReceiptAccount.Entry?
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

    private mutating func subscription(_ receipt: TransactionReceipt, _ entry: ReceiptAccount.Entry?) {
        // Here, unlike everywhere else, the plain name has the milliseconds.
        text("expires_date", receipt.expirationDate?.millisecondsText)
        text("expires_date_formatted", receipt.expirationDate?.gmtText)
        text("expires_date_formatted_pst", receipt.expirationDate?.pacificText)
        text("web_order_line_item_id", receipt.webOrderLineItemID)
        text("is_trial_period", receipt.isTrialPeriod == true ? "true" : "false")
        text("is_in_intro_offer_period", "false")
        text("subscription_group_identifier", entry?.groupID?.text)
        text("in_app_ownership_type", OwnershipType.purchased.rawValue)
    }
}
