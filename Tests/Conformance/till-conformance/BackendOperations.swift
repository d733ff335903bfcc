import Foundation
import StoreBackend
import StoreModel
import StoreSigning

/// Verifies proofs of payment and notifications as a developer's server does.
enum BackendOperations {
    static var table: [String: Operation] {
        ["backend.verifier": Operation(makeVerifier), "backend.verify": Operation(verify)]
    }

    private struct Pinned: Decodable {
        let environment: StoreEnvironment
        let roots: [Data]
        let intermediates: [Data]
    }

    private struct MakeVerifier: Decodable {
        let stores: [Pinned]
        let bundleID: BundleID
        let appID: AppID
    }

    /// What verifies the forms of proofs, and notifications.
    private struct Verifiers {
        let proofs: PinnedVerifier
        let notifications: NotificationVerifier
    }

    private static func makeVerifier(_ request: MakeVerifier, in session: Session) throws -> MadeVerifier {
        let stores = request.stores.map { store in
            PinnedStore(
                store.environment, roots: store.roots.map { Array($0) },
                intermediates: store.intermediates.map { Array($0) })
        }
        return MadeVerifier(
            verifier: session.keep(
                try Verifiers(
                    proofs: PinnedVerifier(stores, bundleIDs: [request.bundleID]),
                    notifications: NotificationVerifier(
                        stores, bundleIDs: [request.bundleID], appIDs: [request.appID]))))
    }

    private struct Verify: Decodable {
        let verifier: String
        let kind: String
        /// As an app or a store sends it.
        let bytes: Data
        let at: Instant
    }

    private struct Verified: Encodable {
        var environment: String?
        var transactionIDs: [String] = []
    }

    private static func verify(_ request: Verify, in session: Session) throws -> Verified {
        let verifiers: Verifiers = try session.value(request.verifier)
        let text = String(decoding: request.bytes, as: UTF8.self)
        do {
            switch request.kind {
            case "renewal info":
                return Verified(environment: try verifiers.proofs.renewalInfo(text).environment.rawValue)
            case "notification":
                return Verified(
                    environment: WireEnvironment(try verifiers.notifications.verify(text).environment).rawValue)
            default:
                let proof = try ProofOfPayment(reading: Array(request.bytes))
                let payment = try verifiers.proofs.verify(proof, at: request.at)
                return Verified(
                    environment: WireEnvironment(payment.environment).rawValue,
                    transactionIDs: payment.transactions.map(\.transactionID.description))
            }
        } catch let error as BackendError {
            throw SigningError(.init(rawValue: error.code.rawValue), error.message)
        }
    }
}
