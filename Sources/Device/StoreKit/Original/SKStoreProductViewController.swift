/// Shows the page of a product in the store.
///
/// Linux has no view controllers, so this is a plain object. The storefront has no pages yet: loading one fails with
/// ``SKError/unsupportedPlatform``.
// Safe: but for the weak delegate nothing in it changes.
open class SKStoreProductViewController: NSObject, @unchecked Sendable {
    /// The object that is told when the person has seen enough; not retained.
    weak open var delegate: (any SKStoreProductViewControllerDelegate)?

    /// Makes a controller that shows nothing yet.
    public override init() { super.init() }

    /// Loads the page that the parameters name, and says on the main queue whether it is there.
    open func loadProduct(
        withParameters parameters: [String: Any], completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        guard let block else { return }
        let completion = MainQueueCompletion(block)
        DispatchQueue.main.async { completion.call { $0(false, SKError.unavailable) } }
    }

    /// Loads the page that the parameters name.
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool { throw SKError.unavailable }
}
