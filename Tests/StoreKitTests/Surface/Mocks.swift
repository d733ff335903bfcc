import StoreKit

// What tests of apps do: subclasses of everything, with every member overridden, made by `init()`.

// Safe: nothing in it changes.
final class MockProduct: SKProduct, @unchecked Sendable {
    private let name: String
    init(name: String) { self.name = name }
    override var localizedDescription: String { name }
    override var localizedTitle: String { name }
    override var price: NSDecimalNumber { 1 }
    override var priceLocale: Locale { Locale(identifier: "en_US") }
    override var productIdentifier: String { name }
    override var isDownloadable: Bool { true }
    override var isFamilyShareable: Bool { true }
    override var downloadContentLengths: [NSNumber] { [1] }
    override var downloadContentVersion: String { "1.0" }
    override var contentLengths: [NSNumber] { [1] }
    override var contentVersion: String { "1.0" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { MockPeriod() }
    override var introductoryPrice: SKProductDiscount? { MockDiscount() }
    override var subscriptionGroupIdentifier: String? { "group" }
    override var discounts: [SKProductDiscount] { [MockDiscount()] }
}

// Safe: nothing in it changes.
final class MockPeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { 3 }
    override var unit: SKProduct.PeriodUnit { .month }
}

// Safe: nothing in it changes.
final class MockDiscount: SKProductDiscount, @unchecked Sendable {
    override var price: NSDecimalNumber { 1 }
    override var priceLocale: Locale { Locale(identifier: "en_US") }
    override var identifier: String? { "offer" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { MockPeriod() }
    override var numberOfPeriods: Int { 2 }
    override var paymentMode: SKProductDiscount.PaymentMode { .freeTrial }
    override var type: SKProductDiscount.`Type` { .subscription }
}

// Safe: nothing in it changes.
final class MockResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { [MockProduct(name: "mock")] }
    override var invalidProductIdentifiers: [String] { ["other"] }
}

// Safe: nothing in it changes.
final class MockStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { "USA" }
    override var identifier: String { "143441" }
}

// Safe: nothing in it changes.
final class MockPayment: SKPayment, @unchecked Sendable {
    private let product: String
    override init() { product = "mock" }
    override var productIdentifier: String { product }
    override var requestData: Data? { nil }
    override var quantity: Int { 3 }
    override var applicationUsername: String? { "someone" }
    override var simulatesAskToBuyInSandbox: Bool { true }
    override var paymentDiscount: SKPaymentDiscount? { nil }
}

// Safe: nothing in it changes.
final class MockTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let product: String
    init(product: String) { self.product = product }
    override var error: (any Error)? { SKError(.unknown) }
    override var original: SKPaymentTransaction? { nil }
    override var payment: SKPayment { MockPayment() }
    override var downloads: [SKDownload] { [MockDownload()] }
    override var transactionDate: Date? { nil }
    override var transactionIdentifier: String? { product }
    override var transactionReceipt: Data? { nil }
    override var transactionState: SKPaymentTransactionState { .restored }
}

// Safe: nothing in it changes.
final class MockDownload: SKDownload, @unchecked Sendable {
    override var state: SKDownloadState { .active }
    override var downloadState: SKDownloadState { .active }
    override var contentLength: Int64 { 1 }
    override var expectedContentLength: Int64 { 1 }
    override var contentIdentifier: String { "content" }
    override var contentURL: URL? { nil }
    override var contentVersion: String { "1.0" }
    override var error: (any Error)? { nil }
    override var progress: Float { 0.5 }
    override var timeRemaining: TimeInterval { 1 }
    override var transaction: SKPaymentTransaction { MockTransaction(product: "mock") }
    override class func contentURL(forProductID productID: String) -> URL? { nil }
    override class func deleteContent(forProductID productID: String) {}
}

// Safe: used by one test at a time.
final class MockRequest: SKProductsRequest, @unchecked Sendable {
    private(set) var calls: [String] = []
    override init(productIdentifiers: Set<String>) { super.init(productIdentifiers: productIdentifiers) }
    override func start() { calls.append("start") }
    override func cancel() { calls.append("cancel") }
}

// Safe: used by one test at a time.
final class MockRefresh: SKReceiptRefreshRequest, @unchecked Sendable {
    override var receiptProperties: [String: Any]? { ["mock": true] }
    override func start() {}
    override func cancel() {}
}

// Safe: used by one test at a time.
final class MockQueue: SKPaymentQueue, @unchecked Sendable {
    private let name: String
    private(set) var calls: [String] = []
    init(name: String) { self.name = name }
    override class func canMakePayments() -> Bool { false }
    override var storefront: SKStorefront? { MockStorefront() }
    override var transactionObservers: [any SKPaymentTransactionObserver] { [] }
    override var transactions: [SKPaymentTransaction] { [MockTransaction(product: name)] }
    override func add(_ payment: SKPayment) { calls.append("add payment") }
    override func add(_ observer: any SKPaymentTransactionObserver) { calls.append("add observer") }
    override func remove(_ observer: any SKPaymentTransactionObserver) { calls.append("remove") }
    override func restoreCompletedTransactions() { calls.append("restore") }
    override func restoreCompletedTransactions(withApplicationUsername username: String?) { calls.append("username") }
    override func finishTransaction(_ transaction: SKPaymentTransaction) { calls.append("finish") }
    override func start(_ downloads: [SKDownload]) { calls.append("start") }
    override func pause(_ downloads: [SKDownload]) { calls.append("pause") }
    override func resume(_ downloads: [SKDownload]) { calls.append("resume") }
    override func cancel(_ downloads: [SKDownload]) { calls.append("cancel") }
    override func showPriceConsentIfNeeded() { calls.append("price") }
    override func presentCodeRedemptionSheet() { calls.append("code") }
}
