package import StoreDatabase
package import StoreModel

extension NumberSeries {
    package static let customers = NumberSeries("customer", from: 1001)
    package static let devices = NumberSeries("device", from: 1001)
    package static let paymentMethods = NumberSeries("payment_method")
    package static let purchases = NumberSeries("purchase", block: 1000)
    package static let refunds = NumberSeries("refund")
    package static let refundRequests = NumberSeries("refund_request")
    package static let customerReviews = NumberSeries("customer_review")
    package static let massExtensions = NumberSeries("mass_extension")
    package static let ledgerEntries = NumberSeries("ledger_entry", block: 1000)
    package static let notificationListeners = NumberSeries("notification_listener")

    // Those whose numbers tell the environment.
    package static func transactions(of environment: StoreEnvironment) -> NumberSeries {
        NumberSeries("transaction", from: TransactionID.numbers(in: environment).lowerBound + 1, block: 1000)
    }

    package static func orderLines(of environment: StoreEnvironment) -> NumberSeries {
        NumberSeries("order_line", from: WebOrderLineItemID.numbers(in: environment).lowerBound + 1)
    }

    /// Far behind those of transactions, beside which servers name them in the same place.
    package static func appTransactions(of environment: StoreEnvironment) -> NumberSeries {
        NumberSeries("app_transaction", from: firstAppTransaction(of: environment))
    }

    /// Where the numbers of downloads begin.
    static func firstAppTransaction(of environment: StoreEnvironment) -> Int64 {
        AppTransactionID.numbers(in: environment).lowerBound + 500_000_000_000_000 + 1
    }
}
