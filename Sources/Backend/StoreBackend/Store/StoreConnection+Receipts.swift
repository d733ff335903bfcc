import Foundation
import StoreHTTP
import StoreModel
import StoreSigning

extension StoreConnection {
    /// Has a receipt verified: by production first, and by the sandbox if that says that the receipt is from there.
    ///
    /// - Parameter bundleID: the app that the receipt says that it is of, whose secret goes with it.
    /// - Returns: the answer, and the environment that gave it.
    func verifyReceipt(
        _ proof: ProofOfPayment, of bundleID: BundleID?
    ) async throws -> (answer: ReceiptAnswer, environment: StoreEnvironment) {
        let order = StoreEnvironment.allCases.filter(environments.contains)
        guard let first = order.first else { throw Self.unavailable("This backend has no address of a store.") }
        let answer = try await verifyReceipt(proof, of: bundleID, in: first)
        switch answer.status {
        case .sandboxReceipt where first == .production, .productionReceipt where first == .sandbox:
            let other: StoreEnvironment = first == .production ? .sandbox : .production
            guard environments.contains(other) else {
                throw BackendError(
                    .wrongEnvironment,
                    "The receipt is of the environment \(WireEnvironment(other)); expected \(environments.names).")
            }
            let second = try await verifyReceipt(proof, of: bundleID, in: other)
            return try (judged(second, to: proof, of: bundleID, in: other), other)
        default: return try (judged(answer, to: proof, of: bundleID, in: first), first)
        }
    }

    private struct Question: Encodable {
        let receipt: String
        let password: String?

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
        }
    }

    private func verifyReceipt(
        _ proof: ProofOfPayment, of bundleID: BundleID?, in environment: StoreEnvironment
    ) async throws -> ReceiptAnswer {
        let place = try place(environment)
        let question = Question(
            receipt: Base64.encode(proof.bytes), password: sharedSecret(of: bundleID, in: environment))
        let request = TransportRequest(
            "POST", "/verifyReceipt", fields: ["Content-Type": "application/json"],
            body: .collected(Array(try JSONEncoder().encode(question))))
        return try await ask(request, place.receipts, at: place) { answer in
            guard answer.status == .ok else {
                let error = Self.unavailable(
                    "\(place.host) answered verifyReceipt with the status \(answer.status.rawValue).")
                guard answer.status.rawValue >= 500 || answer.status == .tooManyRequests else { throw error }
                return .again(error)
            }
            let receipt: ReceiptAnswer = try Self.decode(answer, from: place)
            guard receipt.mayBeBetterLater else { return .value(receipt) }
            return .again(Self.unavailable("The store cannot verify the receipt now (status \(receipt.status))."))
        }
    }

    /// The answer, if it says that the receipt is good.
    private func judged(
        _ answer: ReceiptAnswer, to proof: ProofOfPayment, of bundleID: BundleID?, in environment: StoreEnvironment
    ) throws -> ReceiptAnswer {
        switch answer.status {
        case .valid, .expired:
            guard answer.environment.map({ $0 == WireEnvironment(environment) }) ?? true else {
                throw Self.unavailable(
                    "What answers at the address of \(WireEnvironment(environment)) is another environment.")
            }
            return answer
        case .malformed:
            // The store has one word for what is malformed and for a failure of its own: so it is read here to the last.
            do {
                switch proof.form {
                case .appReceipt: try AppReceipt.requireReadable(proof.bytes)
                default: try TransactionReceiptVerifier.requireReadable(proof.bytes)
                }
            } catch {
                throw BackendError(.malformedProof, "The receipt is damaged: \(error) (status 21002).")
            }
            throw Self.unavailable("The store says that the receipt is malformed, which it is not (status 21002).")
        case .notAuthentic:
            throw BackendError(.untrustedProof, "The receipt is not genuine, says the store (status 21003).")
        case .wrongSecret:
            let app = bundleID.map { " of \($0)" } ?? " of the app"
            let given =
                sharedSecret(of: bundleID, in: environment) == nil ? "this server was given none" : "has another one"
            throw BackendError(
                .storeKeyRefused,
                "The store wants the shared secret\(app) in \(WireEnvironment(environment)), and \(given) (status 21004)."
            )
        case .accountGone:
            throw BackendError(.unknownTransaction, "The store does not know the customer any more (status 21010).")
        case .sandboxReceipt, .productionReceipt:
            throw Self.unavailable("Each environment of the store says that the receipt is of the other one.")
        default:
            throw BackendError(
                .untrustedProof,
                "The store does not verify the receipt (status \(answer.status)); it says that asking again is no use.")
        }
    }
}
