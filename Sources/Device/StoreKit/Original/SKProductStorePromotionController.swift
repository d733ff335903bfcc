/// Which products the store promotes to the person, and in which order.
///
/// The storefront has no page for promoted products yet: everything fails with ``SKError/unsupportedPlatform``.
// Safe: it holds nothing.
open class SKProductStorePromotionController: NSObject, @unchecked Sendable {
    // Safe: made once, and it holds nothing.
    private static let shared = SKProductStorePromotionController()

    /// Makes a controller; apps use ``default()``.
    public override init() { super.init() }

    /// The controller of the app.
    open class func `default`() -> SKProductStorePromotionController { shared }

    /// Asks whether a product is promoted.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        answer(completionHandler) { $0(.default, SKError.unavailable) }
    }

    /// Whether a product is promoted.
    open func promotionVisibility(for product: SKProduct) async throws -> SKProductStorePromotionVisibility {
        throw SKError.unavailable
    }

    /// Sets whether a product is promoted.
    open func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        answer(completionHandler) { $0(SKError.unavailable) }
    }

    /// Sets whether a product is promoted.
    open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        throw SKError.unavailable
    }

    /// Asks for the promoted products in their order.
    open func fetchStorePromotionOrder(completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil) {
        answer(completionHandler) { $0([], SKError.unavailable) }
    }

    /// The promoted products in their order.
    open func promotionOrder() async throws -> [SKProduct] { throw SKError.unavailable }

    /// Sets the order of the promoted products.
    open func update(
        storePromotionOrder promotionOrder: [SKProduct], completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        answer(completionHandler) { $0(SKError.unavailable) }
    }

    /// Sets the order of the promoted products.
    open func update(promotionOrder: [SKProduct]) async throws { throw SKError.unavailable }

    /// Answers on the main queue, after the caller has returned.
    private func answer<Completion>(_ completion: Completion?, _ body: @escaping @Sendable (Completion) -> Void) {
        guard let completion else { return }
        let onMain = MainQueueCompletion(completion)
        DispatchQueue.main.async { onMain.call(body) }
    }
}

/// Whether the store promotes a product to the person.
@frozen public enum SKProductStorePromotionVisibility: Int, Sendable {
    /// As the developer has set it in the console.
    case `default` = 0
    /// It is shown.
    case show = 1
    /// It is hidden.
    case hide = 2
}

/// A closure of the app on its way to the main queue.
// Safe: the closure is called on the main queue alone, and nothing else holds on to it.
struct MainQueueCompletion<Completion>: @unchecked Sendable {
    private let completion: Completion

    init(_ completion: Completion) { self.completion = completion }

    func call(_ body: (Completion) -> Void) { body(completion) }
}
