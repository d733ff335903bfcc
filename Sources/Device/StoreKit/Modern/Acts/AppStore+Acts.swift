public import Foundation
import StoreFoundation
import StoreModel

extension AppStore {
    /// Whether payments are allowed on this device and to this person.
    public static var canMakePayments: Bool { CurrentSession.session.canMakePayments }

    /// What signed values are tied to this device by: see ``Transaction/deviceVerification``.
    public static var deviceVerificationID: UUID? {
        (CurrentSession.session as? DeviceSession)?.device.identity.device
    }

    /// Reads everything that the customer has anew, after a question who that is if nobody is signed in. Call it when the customer
    /// wants it: what the sequences tell is brought up to date by itself.
    public static func sync() async throws {
        let session = CurrentSession.session
        try session.failIfSimulated(.appStoreSync)
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        let obstacle: SessionFailure?
        do {
            obstacle = try await session.synchronize()
        } catch {
            throw StoreKitError(error)
        }
        if let obstacle { throw obstacle.modernError }
    }

    /// Shows the customer's subscriptions on the page of the store, or says where that is.
    ///
    /// On Apple's platforms this takes a scene, and returns when the sheet is closed.
    @MainActor public static func showManageSubscriptions() async throws {
        try await showSubscriptions(of: nil)
    }

    /// Shows the customer's subscription of a group on the page of the store, or says where that is; if none runs, what is sold in
    /// the app.
    ///
    /// On Apple's platforms this takes a scene, and returns when the sheet is closed.
    @MainActor public static func showManageSubscriptions(subscriptionGroupID: String) async throws {
        try await showSubscriptions(of: subscriptionGroupID)
    }

    @MainActor private static func showSubscriptions(of group: String?) async throws {
        let session = CurrentSession.session
        try session.failIfSimulated(.manageSubscriptions)
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        await session.showSubscriptions(of: group)
    }

    /// Lets the customer redeem a code. What comes of it is in ``Transaction/updates``.
    ///
    /// On Apple's platforms this takes a scene.
    @MainActor public static func presentOfferCodeRedeemSheet() async throws {
        let session = CurrentSession.session
        try session.failIfSimulated(.offerCodeRedeem)
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        await session.redeemCode()
    }
}

extension DeviceSession {
    /// Shows the subscriptions of the customer on the page of what the customer has; for a group the one that runs, or, if none does,
    /// the page of the app, which lists what is sold in it.
    func showSubscriptions(of group: String? = nil) async {
        let text = settings.texts("prompt.subscriptions")
        let country = storefront?.countryCode.storefront?.alpha2.lowercased() ?? "us"
        guard let group, let app = settings.profile.content.appId else {
            return await open("/\(country)/library#subscriptions", text)
        }
        let running: Set<Product.SubscriptionInfo.RenewalState> = [.subscribed, .inGracePeriod, .inBillingRetryPeriod]
        let found = ((try? await statuses()) ?? []).last { $0.group == group && running.contains($0.status.state) }
        if let transaction = found?.status.transaction.unsafePayloadValue {
            return await open("/\(country)/library#subscription\(transaction.originalID)", text)
        }
        let page = StoreModel.StoreLink(
            .app, named: "", storeID: app.number, in: storefront?.countryCode.storefront)
        await open("\(page.path)#\(Self.subscriptionsOfApp)", text)
    }

    /// The part of an app's page that lists what is sold inside.
    private static let subscriptionsOfApp = "in-app"
}
