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

    /// Shows the subscriptions of a group on the page of the app in the store, or says where that is: at the one that the customer
    /// has.
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
    /// Shows the page of the store with what the customer has; for a group the page of the app, at the subscription of the group
    /// that the customer has, or had last.
    func showSubscriptions(of group: String? = nil) async {
        let text = settings.texts("prompt.subscriptions")
        guard let group, let app = settings.profile.content.appId else {
            let country = storefront?.countryCode.storefront?.alpha2.lowercased() ?? "us"
            return await open("/\(country)/library", text)
        }
        let found = ((try? await statuses()) ?? []).last { $0.group == group }?.status.transaction.unsafePayloadValue
        let page = StoreModel.StoreLink(
            .app, named: "", storeID: app.number, in: storefront?.countryCode.storefront)
        await open("\(page.path)#\(found?.productID ?? Self.subscriptionsOfApp)", text)
    }

    /// The part of an app's page that lists what is sold inside.
    private static let subscriptionsOfApp = "in-app"
}
