/// What is told that a person has seen enough of a page of the store.
public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
    /// The person closed the page.
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
}

extension SKStoreProductViewControllerDelegate {
    /// Does nothing, for those who need not know.
    public func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {}
}
