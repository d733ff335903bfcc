import StoreKit

/// Every declaration of requests and receipts with its type: what is missing or different does not compile.
///
/// Nothing here runs. Only StoreKit is imported, as most apps do.
enum RequestSurface {
    static func requests(_ request: SKRequest, _ delegate: any SKRequestDelegate) {
        let _: NSObject = request
        let _: () -> SKRequest = SKRequest.init
        let _: ReferenceWritableKeyPath<SKRequest, (any SKRequestDelegate)?> = \.delegate
        let _: (SKRequest) -> () -> Void = SKRequest.start
        let _: (SKRequest) -> () -> Void = SKRequest.cancel
        let _: any NSObjectProtocol = delegate
        delegate.requestDidFinish(request)
        delegate.request(request, didFailWithError: SKError(.unknown) as any Error)
        request.delegate?.requestDidFinish?(request)
        request.delegate?.request?(request, didFailWithError: SKError(.unknown) as any Error)
    }

    static func productRequests(
        _ request: SKProductsRequest, _ delegate: any SKProductsRequestDelegate, _ response: SKProductsResponse
    ) {
        let _: SKRequest = request
        let _: any SKRequestDelegate = delegate
        let _: NSObject = response
        let _: (Set<String>) -> SKProductsRequest = SKProductsRequest.init(productIdentifiers:)
        let _: () -> SKProductsRequest = SKProductsRequest.init
        let _: ReferenceWritableKeyPath<SKProductsRequest, (any SKProductsRequestDelegate)?> = \.delegate
        request.delegate = delegate
        let readBack = request.delegate
        let _: (any SKProductsRequestDelegate)? = readBack
        let _: (any SKRequestDelegate)? = (request as SKRequest).delegate
        delegate.productsRequest(request, didReceive: response)
        let _: () -> SKProductsResponse = SKProductsResponse.init
        let _: KeyPath<SKProductsResponse, [SKProduct]> = \.products
        let _: KeyPath<SKProductsResponse, [String]> = \.invalidProductIdentifiers
    }

    /// What apps ask of a request that their tests replace.
    protocol ReplaceableRequest: AnyObject {
        var delegate: (any SKProductsRequestDelegate)? { get set }
        func start()
        func cancel()
    }

    static func replaced(_ request: SKProductsRequest) { let _: any ReplaceableRequest = request }

    static func receipts(_ request: SKReceiptRefreshRequest) {
        let _: SKRequest = request
        let _: ([String: Any]?) -> SKReceiptRefreshRequest = SKReceiptRefreshRequest.init(receiptProperties:)
        let _: () -> SKReceiptRefreshRequest = SKReceiptRefreshRequest.init
        let _: KeyPath<SKReceiptRefreshRequest, [String: Any]?> = \.receiptProperties
        let _: () -> Void = SKTerminateForInvalidReceipt
        let _: String = SKReceiptPropertyIsExpired
        let _: String = SKReceiptPropertyIsRevoked
        let _: String = SKReceiptPropertyIsVolumePurchase
        let _: KeyPath<Bundle, URL?> = \.appStoreReceiptURL
        let _: KeyPath<Bundle, URL?> = \.storeReceiptURL
    }

    static func storefronts(_ storefront: SKStorefront) {
        let _: NSObject = storefront
        let _: () -> SKStorefront = SKStorefront.init
        let _: KeyPath<SKStorefront, String> = \.countryCode
        let _: KeyPath<SKStorefront, String> = \.identifier
    }
}

extension SKProductsRequest: RequestSurface.ReplaceableRequest {}
