// The names of its globals are those of Apple's platforms.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import StoreModel
import Synchronization

/// Shows the page of an item of the store: its pictures and samples, what others say of it, and how it is bought.
///
/// Load a page first, then present it. There are no views on Linux, so the page opens in the browser, tied to the app, and
/// without a browser the terminal of the app has it in words. On the page the person buys or downloads, reads reviews and
/// writes them; related items and the support of the maker leave it. An app that is shown its own page gets what the person
/// chooses there through `paymentQueue(_:shouldAddStorePayment:for:)` of its observers.
///
/// ```swift
/// let controller = SKStoreProductViewController()
/// controller.delegate = self
/// controller.loadProduct(withParameters: [SKStoreProductParameterITunesItemIdentifier: 364709193]) { isLoaded, error in
///     if isLoaded { controller.present() }
/// }
/// ```
// Safe: everything that changes is behind the mutex, but for the weak delegate, which the app sets before it presents.
open class SKStoreProductViewController: NSObject, @unchecked Sendable {
    private struct State {
        var page: LoadedPage?
        /// Whether the page was shown, and is to be loaded anew before it is shown again.
        var isShown = false
        var loadings = 0
        var presentations = 0
        var showing: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// The object that is told when the person has seen enough; not retained.
    weak open var delegate: (any SKStoreProductViewControllerDelegate)?

    /// Makes a controller that shows nothing yet.
    public override init() { super.init() }

    /// Loads the page that the parameters name, and says on the main queue whether it is there.
    ///
    /// A page that cannot be had fails with ``SKError/storeProductNotAvailable`` and the text of Apple's documents; why it
    /// cannot is in the error's `userInfo`, and on standard error. Who sent the person here, as an affiliate for example,
    /// is passed over.
    open func loadProduct(
        withParameters parameters: [String: Any], completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        let request = VisitRequest(parameters)
        let completion = block.map(MainQueueCompletion.init)
        let (session, context, number) = (CurrentSession.session, CurrentSession.own, nextLoading())
        Task {
            let error = await self.load(request, number, session)
            guard let completion else { return }
            DispatchQueue.main.async {
                CurrentSession.$own.withValue(context) { completion.call { $0(error == nil, error) } }
                OpenQuestion.showAgain()
            }
        }
    }

    /// Loads the page that the parameters name.
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool {
        if let error = await load(VisitRequest(parameters), nextLoading(), CurrentSession.session) { throw error }
        return true
    }

    private func nextLoading() -> Int {
        state.withLock { state in
            state.loadings += 1
            return state.loadings
        }
    }

    /// Loads a page; of several that are asked for the last counts.
    private func load(_ request: VisitRequest, _ number: Int, _ session: any OriginalSession) async -> SKError? {
        do throws(SessionFailure) {
            let page = try await session.loadPage(request)
            state.withLock { state in
                guard state.loadings == number else { return }
                (state.page, state.isShown) = (page, false)
            }
            return nil
        } catch {
            return SKError(noPage: error)
        }
    }

    /// Shows the page that was loaded, until the person has seen enough; then the delegate is told, once.
    ///
    /// It returns at once. The controller is kept as long as it shows something. On Apple's platforms another controller
    /// presents this one.
    open func present() {
        let (session, context) = (CurrentSession.session, CurrentSession.own)
        let isStarted = state.withLock { state in
            guard state.showing == nil, let page = state.page else { return false }
            state.presentations += 1
            let (number, isShown) = (state.presentations, state.isShown)
            state.isShown = true
            state.showing = Task {
                // A visit at the store ends with the page, and the same page is another visit.
                let current: LoadedPage? = if isShown { try? await session.loadPage(page.request) } else { page }
                if let current { await session.show(current) }
                DispatchQueue.main.async {
                    CurrentSession.$own.withValue(context) { self.end(number) }
                    OpenQuestion.showAgain()
                }
            }
            return true
        }
        if !isStarted {
            SessionLog.write("no page of the store is loaded that could be presented, or it is presented.")
        }
    }

    /// Takes the page away, if it is there, and calls the closure on the main queue.
    ///
    /// The delegate is not told, as the person has neither closed the page nor bought anything. It may be called by the delegate,
    /// as on Apple's platforms, where the page is there until then.
    open func dismiss(animated flag: Bool = true, completion: (() -> Void)? = nil) {
        let showing = state.withLock { state in
            state.presentations += 1
            defer { state.showing = nil }
            return state.showing
        }
        showing?.cancel()
        guard let completion else { return }
        let onMain = MainQueueCompletion(completion)
        DispatchQueue.main.async { onMain.call { $0() } }
    }

    /// Whether the page is shown.
    open var isPresented: Bool { state.withLock { $0.showing != nil } }

    /// A presentation is over; one that was taken away is so already.
    private func end(_ number: Int) {
        let wasShowing = state.withLock { state in
            guard state.presentations == number, state.showing != nil else { return false }
            state.showing = nil
            return true
        }
        if wasShowing { delegate?.productViewControllerDidFinish(self) }
    }
}

extension VisitRequest {
    /// What the parameters of an app name. The number of an item may be a number or a text.
    init(_ parameters: [String: Any]) {
        let item = parameters[SKStoreProductParameterITunesItemIdentifier]
        let product = parameters[SKStoreProductParameterProductIdentifier] as? String
        self.init(itemId: item.map { "\($0)" } ?? "", productId: product)
    }
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
