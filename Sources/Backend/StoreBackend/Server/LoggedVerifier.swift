package import StoreLog
package import StoreModel

/// Writes down what a store, or a signature, was asked of a proof and what came of it.
package struct LoggedVerifier: PaymentVerifier {
    private let verifier: any PaymentVerifier
    private let log: Log

    /// - Parameter verifier: who is asked.
    package init(_ verifier: any PaymentVerifier, log: Log) {
        self.verifier = verifier
        self.log = log
    }

    /// Refuses what the other refuses without asking, which is no line in the log.
    package func check(_ proof: ProofOfPayment, at now: Instant) throws { try verifier.check(proof, at: now) }

    /// Verifies a proof as the other does.
    package func verify(_ proof: ProofOfPayment, at now: Instant) async throws -> VerifiedPayment {
        let form = proof.form.rawValue
        log.info("proof.asked", "Asking whether a proof is true.", about: form, ["form": .text(form)])
        do {
            let payment = try await verifier.verify(proof, at: now)
            log.info(
                "proof.answered", "A proof is true.",
                about:
                    "\(payment.bundleID), \(payment.environment.rawValue), \(payment.transactions.count) transactions",
                [
                    "app": .text(payment.bundleID.text), "environment": .text(payment.environment.rawValue),
                    "transactions": .number(Int64(payment.transactions.count)),
                ])
            return payment
        } catch let error as BackendError {
            log.info(
                "proof.answered", "A proof does not hold, or nobody could say.", about: error.code.rawValue,
                ["code": .text(error.code.rawValue), "reason": .text(error.message)])
            throw error
        }
    }
}
