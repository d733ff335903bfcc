// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Shows the page of a product in the store.
///
/// Linux has no view controllers, so this is a plain object. The storefront has no pages yet: loading one fails with
/// ``SKError/storeProductNotAvailable``, as for a product that the store does not have.
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
        DispatchQueue.main.async { completion.call { $0(false, SKError.noPage) } }
    }

    /// Loads the page that the parameters name.
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool { throw SKError.noPage }
}

/// What is told that a person has seen enough of a page of the store.
public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
    /// The person closed the page.
    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
}

extension SKStoreProductViewControllerDelegate {
    /// Does nothing, for those who need not know.
    public func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {}
}

/// The number of an app or item in the store; a number.
public let SKStoreProductParameterITunesItemIdentifier: String = "id"

/// The identifier of a product within the app; a string.
public let SKStoreProductParameterProductIdentifier: String = "productIdentifier"

/// The page of the app that is to be shown; a string with a UUID.
public let SKStoreProductParameterCustomProductPageIdentifier: String = "customProductPageIdentifier"

/// Who sent the person here; a string.
public let SKStoreProductParameterAffiliateToken: String = "at"

/// The campaign that the visit belongs to; a string of at most 40 characters.
public let SKStoreProductParameterCampaignToken: String = "ct"

/// The developer whom the campaign belongs to; a string.
public let SKStoreProductParameterProviderToken: String = "pt"

/// The partner who advertised; a string.
public let SKStoreProductParameterAdvertisingPartnerToken: String = "advp"

/// The signature of an advertisement; a string.
public let SKStoreProductParameterAdNetworkAttributionSignature: String = "adNetworkAttributionSignature"

/// The campaign of an advertisement; a number.
public let SKStoreProductParameterAdNetworkCampaignIdentifier: String = "adNetworkCampaignIdentifier"

/// The network of an advertisement; a string.
public let SKStoreProductParameterAdNetworkIdentifier: String = "adNetworkIdentifier"

/// The random value of an advertisement; a UUID.
public let SKStoreProductParameterAdNetworkNonce: String = "adNetworkNonce"

/// When an advertisement was shown; a number.
public let SKStoreProductParameterAdNetworkTimestamp: String = "adNetworkTimestamp"

/// The app that showed an advertisement; a number.
public let SKStoreProductParameterAdNetworkSourceAppStoreIdentifier: String = "adNetworkSourceAppStoreIdentifier"

/// The version of the network of an advertisement; a string.
public let SKStoreProductParameterAdNetworkVersion: String = "adNetworkVersion"

/// The part of a campaign that an advertisement belongs to; a number.
public let SKStoreProductParameterAdNetworkSourceIdentifier: String = "adNetworkSourceIdentifier"

/// Asks the person to review the app.
// Safe: it holds nothing.
open class SKStoreReviewController: NSObject, @unchecked Sendable {
    /// Makes a controller; there is no need to.
    public override init() { super.init() }

    /// Asks for a review, if the store thinks that the time is right; it has no reviews by people yet, so it never is.
    open class func requestReview() {}
}
