public import StoreModel
import StoreSigning

/// A notification of a store whose signatures were verified, with what it brings.
public struct VerifiedNotification: Hashable, Sendable {
    /// The environment of the store that sent it.
    public let environment: StoreEnvironment
    /// The app that it is about.
    public let bundleID: BundleID
    /// What it says.
    public let payload: NotificationPayload
    /// The transaction in it; nil where it has none.
    public let transaction: TransactionPayload?
    /// What comes after the period of a subscription; nil where it is about none.
    public let renewal: RenewalInfoPayload?
}

/// Verifies the notifications of stores, version 2, of several environments and apps at once.
public struct NotificationVerifier: Sendable {
    private let signatures: PinnedSignatures
    private let accepted: AcceptedPurchases
    private let appIDs: Set<AppID>
    let pinned: PinnedVerifier

    /// - Parameters:
    ///   - stores: the environments that are trusted, each with its roots.
    ///   - bundleIDs: the apps whose notifications are taken.
    ///   - appIDs: the numbers of these apps, which notifications of production name; none if they are not looked at.
    public init(_ stores: [PinnedStore], bundleIDs: Set<BundleID>, appIDs: Set<AppID> = []) throws {
        signatures = try PinnedSignatures(stores)
        accepted = try AcceptedPurchases(bundleIDs, signatures.environments)
        pinned = try PinnedVerifier(stores, bundleIDs: bundleIDs)
        self.appIDs = appIDs
    }

    /// Verifies what a store sent as `signedPayload`, and all that is signed in it; throws ``BackendError``.
    ///
    /// A type of notification that is not known here is kept as it is.
    public func verify(_ signedPayload: String) throws -> VerifiedNotification {
        let claimed = SignedText.claimedEnvironment(of: signedPayload)
        let (payload, subject, environment) = try accepted.explaining(claimed: claimed) {
            let (content, signers) = try signatures.verify(signedData: signedPayload, claimed: claimed)
            let payload: NotificationPayload = try SignedText.decode(content.payload)
            guard let subject = Subject(payload) else {
                throw BackendError(.malformedProof, "The notification does not say which app it is about.")
            }
            try accepted.require(subject.bundleID)
            return (payload, subject, try accepted.environment(subject.environment, signedBy: signers))
        }
        if environment == .production { try require(subject.appID) }
        let transaction = try payload.data?.signedTransactionInfo.map(pinned.transaction)
        let renewal = try payload.data?.signedRenewalInfo.map(pinned.renewalInfo)
        guard transaction.map({ $0.environment == subject.environment && $0.bundleId == subject.bundleID }) ?? true,
            renewal.map({ $0.environment == subject.environment }) ?? true
        else {
            throw BackendError(
                .untrustedProof, "The notification brings signed data of another environment or app than its own.")
        }
        return VerifiedNotification(
            environment: environment, bundleID: subject.bundleID, payload: payload, transaction: transaction,
            renewal: renewal)
    }

    private func require(_ appID: AppID?) throws {
        guard !appIDs.isEmpty, !(appID.map(appIDs.contains) ?? false) else { return }
        let found = appID?.description ?? "none"
        let expected = appIDs.map(\.description).sorted().joined(separator: " or ")
        throw BackendError(.wrongApp, "The notification is of the app number \(found); expected \(expected).")
    }

    /// The app and the environment that a notification is about.
    private struct Subject {
        let bundleID: BundleID
        let appID: AppID?
        let environment: WireEnvironment

        init?(_ payload: NotificationPayload) {
            if let data = payload.data {
                (bundleID, appID, environment) = (data.bundleId, data.appAppleId, data.environment)
            } else if let summary = payload.summary {
                (bundleID, appID, environment) = (summary.bundleId, summary.appAppleId, summary.environment)
            } else if let app = payload.appData {
                (bundleID, appID, environment) = (app.bundleId, app.appAppleId, app.environment)
            } else {
                return nil
            }
        }
    }
}
