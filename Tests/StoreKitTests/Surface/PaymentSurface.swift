import StoreKit

/// Every declaration of payments, transactions and downloads with its type: what is missing or different does not
/// compile.
enum PaymentSurface {
    static func payments(_ payment: SKPayment) {
        let _: any NSObject & NSCopying & NSMutableCopying = payment
        let _: () -> SKPayment = SKPayment.init
        let _: (SKProduct) -> SKPayment = SKPayment.init(product:)
        let _: (String) -> Any = SKPayment.payment(withProductIdentifier:)
        let _: KeyPath<SKPayment, String> = \.productIdentifier
        let _: KeyPath<SKPayment, Data?> = \.requestData
        let _: KeyPath<SKPayment, Int> = \.quantity
        let _: KeyPath<SKPayment, String?> = \.applicationUsername
        let _: KeyPath<SKPayment, Bool> = \.simulatesAskToBuyInSandbox
        let _: KeyPath<SKPayment, SKPaymentDiscount?> = \.paymentDiscount
    }

    static func mutablePayments(_ payment: SKMutablePayment) {
        let _: SKPayment = payment
        let _: () -> SKMutablePayment = SKMutablePayment.init
        let _: (SKProduct) -> SKMutablePayment = SKMutablePayment.init(product:)
        let _: ReferenceWritableKeyPath<SKMutablePayment, String> = \.productIdentifier
        let _: ReferenceWritableKeyPath<SKMutablePayment, Data?> = \.requestData
        let _: ReferenceWritableKeyPath<SKMutablePayment, Int> = \.quantity
        let _: ReferenceWritableKeyPath<SKMutablePayment, String?> = \.applicationUsername
        let _: ReferenceWritableKeyPath<SKMutablePayment, Bool> = \.simulatesAskToBuyInSandbox
        let _: ReferenceWritableKeyPath<SKMutablePayment, SKPaymentDiscount?> = \.paymentDiscount
    }

    static func discounts(_ discount: SKPaymentDiscount) {
        let _: NSObject = discount
        let _: (String, String, UUID, String, NSNumber) -> SKPaymentDiscount = SKPaymentDiscount.init(
            identifier:keyIdentifier:nonce:signature:timestamp:)
        let _: KeyPath<SKPaymentDiscount, String> = \.identifier
        let _: KeyPath<SKPaymentDiscount, String> = \.keyIdentifier
        let _: KeyPath<SKPaymentDiscount, UUID> = \.nonce
        let _: KeyPath<SKPaymentDiscount, String> = \.signature
        let _: KeyPath<SKPaymentDiscount, NSNumber> = \.timestamp
    }

    static func transactions(_ transaction: SKPaymentTransaction) {
        let _: NSObject = transaction
        let _: () -> SKPaymentTransaction = SKPaymentTransaction.init
        let _: KeyPath<SKPaymentTransaction, (any Error)?> = \.error
        let _: KeyPath<SKPaymentTransaction, SKPaymentTransaction?> = \.original
        let _: KeyPath<SKPaymentTransaction, SKPayment> = \.payment
        let _: KeyPath<SKPaymentTransaction, [SKDownload]> = \.downloads
        let _: KeyPath<SKPaymentTransaction, Date?> = \.transactionDate
        let _: KeyPath<SKPaymentTransaction, String?> = \.transactionIdentifier
        let _: KeyPath<SKPaymentTransaction, Data?> = \.transactionReceipt
        let _: KeyPath<SKPaymentTransaction, SKPaymentTransactionState> = \.transactionState
        let _: (Int) -> SKPaymentTransactionState? = SKPaymentTransactionState.init(rawValue:)
        let _: [SKPaymentTransactionState] = [.purchasing, .purchased, .failed, .restored, .deferred]
    }

    static func downloads(_ download: SKDownload) {
        let _: NSObject = download
        let _: () -> SKDownload = SKDownload.init
        let _: KeyPath<SKDownload, SKDownloadState> = \.state
        let _: KeyPath<SKDownload, SKDownloadState> = \.downloadState
        let _: KeyPath<SKDownload, Int64> = \.contentLength
        let _: KeyPath<SKDownload, Int64> = \.expectedContentLength
        let _: KeyPath<SKDownload, String> = \.contentIdentifier
        let _: KeyPath<SKDownload, URL?> = \.contentURL
        let _: KeyPath<SKDownload, String> = \.contentVersion
        let _: KeyPath<SKDownload, (any Error)?> = \.error
        let _: KeyPath<SKDownload, Float> = \.progress
        let _: KeyPath<SKDownload, TimeInterval> = \.timeRemaining
        let _: KeyPath<SKDownload, SKPaymentTransaction> = \.transaction
        let _: (String) -> URL? = SKDownload.contentURL(forProductID:)
        let _: (String) -> Void = SKDownload.deleteContent(forProductID:)
        let _: TimeInterval = SKDownloadTimeRemainingUnknown
        SKDownloadTimeRemainingUnknown = -1
    }

    /// Exhaustive without a default: the enumeration is closed.
    static func word(_ state: SKDownloadState) -> Int {
        switch state {
        case .waiting, .active, .paused, .finished, .failed, .cancelled: state.rawValue
        }
    }
}
