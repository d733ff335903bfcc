import StoreModel

extension Transaction {
    /// Says that the customer has got what was bought. Finishing again changes nothing; the queue of the original API has it no
    /// more either.
    public func finish() async {
        guard let id = try? TransactionID(number: Int64(exactly: self.id) ?? -1) else { return }
        (CurrentSession.session as? DeviceSession)?.finish(transaction: id)
    }

    /// How the subscription stands that the transaction is of; nil for what does not renew itself.
    public var subscriptionStatus: SubscriptionStatus? {
        get async {
            guard productType == .autoRenewable, let session = CurrentSession.session as? DeviceSession else {
                return nil
            }
            return try? await session.statuses().map(\.status)
                .first { $0.transaction.unsafePayloadValue.originalID == originalID }
        }
    }

    /// Asks the customer why money is wanted back, and asks the store for it.
    ///
    /// On Apple's platforms this takes a scene; here the question comes where those of purchases do.
    public func beginRefundRequest() async throws -> RefundRequestStatus {
        try await Transaction.beginRefundRequest(for: id)
    }

    /// Asks the customer why money is wanted back, and asks the store for it.
    public static func beginRefundRequest(for transactionID: UInt64) async throws -> RefundRequestStatus {
        let session = CurrentSession.session
        try session.failIfSimulated(.refundRequest)
        guard let session = session as? DeviceSession, let number = Int64(exactly: transactionID),
            let id = try? TransactionID(number: number)
        else { throw RefundRequestError.failed }
        guard let reason = await session.askRefundReason(of: id) else { return .userCancelled }
        do {
            try await session.askForRefund(of: id, because: reason)
            return .success
        } catch {
            throw error.refusal == .alreadyRevoked ? RefundRequestError.duplicateRequest : .failed
        }
    }
}
