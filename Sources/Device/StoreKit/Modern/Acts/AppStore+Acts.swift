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
        let session = CurrentSession.session
        try session.failIfSimulated(.manageSubscriptions)
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        await session.showSubscriptions()
    }

    /// Shows the customer's subscriptions of a group on the page of the store, or says where that is.
    @MainActor public static func showManageSubscriptions(subscriptionGroupID: String) async throws {
        try await showManageSubscriptions()
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
    /// Shows the page of the store with what the customer has.
    func showSubscriptions() async {
        let country = storefront?.countryCode.storefront?.alpha2.lowercased() ?? "us"
        await open("/\(country)/library", settings.texts("prompt.subscriptions"))
    }
}
