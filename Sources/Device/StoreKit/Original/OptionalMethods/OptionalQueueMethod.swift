/// `delegate.paymentQueue?(queue, shouldContinue: transaction, in: storefront)`, as apps call it on Apple's platforms.
///
/// There every optional method may be missing. Here each has a body, so that there is always one to call.
public struct OptionalQueueMethod {
    let delegate: any SKPaymentQueueDelegate

    /// Asks the delegate whether a purchase goes on in another storefront.
    public func callAsFunction(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        delegate.paymentQueue(paymentQueue, shouldContinue: transaction, in: newStorefront)
    }
}

extension SKPaymentQueueDelegate {
    /// What `delegate.paymentQueue?(…)` calls.
    @_disfavoredOverload
    public var paymentQueue: OptionalQueueMethod? { OptionalQueueMethod(delegate: self) }

    /// What `delegate.paymentQueueShouldShowPriceConsent?(queue)` calls.
    @_disfavoredOverload
    public var paymentQueueShouldShowPriceConsent: ((SKPaymentQueue) -> Bool)? {
        { self.paymentQueueShouldShowPriceConsent($0) }
    }
}

extension SKStoreProductViewControllerDelegate {
    /// What `delegate.productViewControllerDidFinish?(controller)` calls.
    @_disfavoredOverload
    public var productViewControllerDidFinish: ((SKStoreProductViewController) -> Void)? {
        { self.productViewControllerDidFinish($0) }
    }
}
