import StoreModel

/// What becomes of a payment whose process has ended before it was settled.
///
/// No question appears before a person who has not just asked for something, and this one comes with the start of an app. So
/// nobody is asked: what the store has decided meanwhile is told, what it is still deciding is waited for, and what waits
/// for a yes or a sign-in is given up.
///
/// | how the store has it | what the app gets |
/// |---|---|
/// | purchased, also because somebody said yes elsewhere | `.purchased` |
/// | being paid | `.purchasing` until it is decided |
/// | waiting for a yes or a sign-in | cancelled at the store, then `.failed` with `paymentCancelled` |
/// | not at all | `.failed` with `paymentCancelled` |
/// | the store cannot be reached | `.failed`; a yes that was given elsewhere comes later, as a transaction |
extension DeviceSession {
    func resume(_ key: PurchaseKey) async {
        guard settings.prompt.asksPerson else { return await purchase(key) }
        guard let payment = try? journal.payment(key), payment.isOpen else { return }
        do throws(ConnectionError) {
            let found = try await repeating(forever: payment.state == .confirmed) { () async throws(ConnectionError) in
                try await self.device.show(key)
            }
            await settle(payment, found, mayAsk: false)
        } catch {
            guard error.kind != .cancelled else { return }
            let wasNeverSent = error.status == 404 && payment.state == .added
            fail(key, wasNeverSent ? .unanswered : SessionFailure(error))
        }
    }

    /// Takes a purchase back that nobody has answered. Gives how it stands if somebody was faster; nil if it was told.
    func giveUp(_ payment: JournalPayment) async throws(ConnectionError) -> PurchaseAnswer? {
        guard let answer = try await cancel(payment) else { return nil }
        guard answer.state == "cancelled" else { return answer }
        fail(payment.key, .unanswered)
        return nil
    }
}

extension SessionFailure {
    /// The app ended while the person was being asked.
    static let unanswered = SessionFailure(
        code: 2, reason: "unanswered", text: "The app ended before the customer had said yes; nothing was charged.")
}
