public import Foundation
import StoreModel
import StoreService
import StoreSigning

/// What the server of the app hears, which it does not on Apple's platforms.
extension SKTestSession {
    /// Hands each App Store Server Notification of version 2 to a closure, in the place of the app's server.
    ///
    /// ```swift
    /// try session.onNotification { payload in try await backend.receive(payload) }
    /// ```
    ///
    /// The closure gets the `signedPayload` of each request that the store would send: a JWS with a chain of three certificates
    /// that ends in ``rootCertificates``. What it throws counts as an answer of 500. A call of the session returns after the
    /// closure has been through with all that came of the call; the closure may use the session, which does not wait then. It runs
    /// on threads of its own, and must not need the main actor while the main thread waits for the session.
    ///
    /// - Parameters:
    ///   - retrying: whether the store tries again what the closure has refused: after 1, 12, 24, 48 and 72 hours, by the time of
    ///     the session. The App Store's sandbox does not.
    ///   - handler: nil to be told nothing any more.
    public func onNotification(
        retrying: Bool = false, _ handler: (@Sendable (_ signedPayload: String) async throws -> Void)?
    ) throws {
        let thread = parts.thread
        try settle { try await $0.store.sendNotifications(to: handler, retrying: retrying, on: thread) }
    }

    /// The certificates, as DER, in which the chains of everything signed end: for the verifier of the app's server.
    public var rootCertificates: [Data] { parts.scene.store.store.signers.jwsRoots.map { Data($0.derRepresentation) } }

    /// The bundle identifier that the app has in this session.
    public var bundleIdentifier: String { parts.scene.store.bundle.text }
}
