import StoreHTTPClient
import StoreModel

/// The road of a payment, from the journal to the transaction or to the reason why there is none.
///
/// | what fails | what the app gets |
/// |---|---|
/// | the journal | `.failed`; nothing was sent |
/// | the store cannot be reached before the customer said yes | `.failed`; nobody will be charged |
/// | the store cannot be reached after that | `.deferred` after a while; it is asked until it answers |
/// | the app ends | at its next start the payment goes on from where it was; nobody is asked then, see ``resume(_:)`` |
extension DeviceSession {
    func purchase(_ key: PurchaseKey) async {
        guard let payment = try? journal.payment(key), payment.isOpen else { return }
        if let obstacle = obstacle(payment) {
            fail(key, obstacle)
            if obstacle == .restricted { await settings.prompt.tell(PromptNotice(obstacle.text)) }
            return
        }
        do throws(ConnectionError) {
            let opened = try await open(payment)
            await settle(payment, opened)
        } catch {
            // Cancelled: the session ends, and the next one goes on.
            guard error.kind != .cancelled else { return }
            fail(key, SessionFailure(error))
        }
    }

    private func obstacle(_ payment: JournalPayment) -> SessionFailure? {
        let preferences = settings.preferences()
        if payment.state == .confirmed { return nil }
        if preferences.isSimulator { return .simulator }
        if !preferences.purchasesAllowed { return .restricted }
        guard SessionLimits.quantities.contains(payment.quantity) else {
            return SessionFailure(
                code: 3, reason: "quantity_out_of_range",
                text: "A payment is for 1 to \(SessionLimits.quantities.upperBound) of a product.")
        }
        return nil
    }

    /// Opens the purchase. Once the customer has said yes, it is asked for until the store answers.
    private func open(_ payment: JournalPayment) async throws(ConnectionError) -> PurchaseAnswer {
        let isConfirmed = payment.state == .confirmed
        return try await repeating(forever: isConfirmed) { () async throws(ConnectionError) in
            if !isConfirmed { try await self.device.prepare() }
            return try await self.device.open(payment)
        }
    }

    /// - Parameter mayAsk: whether the person may be asked; else a purchase that waits for a yes is given up.
    func settle(_ payment: JournalPayment, _ opened: PurchaseAnswer, mayAsk: Bool = true) async {
        var answer = opened
        let token = opened.confirmation?.token
        var isPatient = true
        while !Task.isCancelled {
            do throws(ConnectionError) {
                switch answer.state {
                case "purchased": return try await deliver(answer, of: payment)
                case "cancelled", "declined", "failed": return fail(payment.key, SessionFailure(answer))
                case "interrupted":
                    fail(payment.key, .interrupted)
                    return await settings.prompt.tell(PromptNotice(SessionFailure.interrupted.text))
                case "sign-in", "confirmation":
                    let next =
                        mayAsk
                        ? try await question(payment, answer, token: token) : try await giveUp(payment)
                    guard let next else { return }
                    answer = next
                case "action":
                    handle(.deferred(payment.key))
                    let notice = PromptNotice("The payment has to be completed at:", address: answer.actionUrl)
                    await settings.prompt.tell(notice)
                    answer = try await change(of: payment.key, from: answer.state)
                default:
                    answer = try await patiently(payment.key, &isPatient, from: answer.state)
                }
            } catch {
                guard error.kind != .cancelled else { return }
                return fail(payment.key, SessionFailure(error))
            }
        }
    }

    /// Waits until a purchase stands otherwise; whoever waits for it is told that it may take long, if it does.
    private func patiently(
        _ key: PurchaseKey, _ isPatient: inout Bool, from state: String
    ) async throws(ConnectionError) -> PurchaseAnswer {
        let timer = isPatient ? deferral(of: key) : nil
        isPatient = false
        defer { timer?.cancel() }
        return try await change(of: key, from: state)
    }

    func deferral(of key: PurchaseKey) -> Task<Void, Never>? {
        let wait = settings.retries.wait
        return tasks.start { [weak self] in
            guard (try? await wait(SessionLimits.patience)) != nil, !Task.isCancelled else { return }
            self?.handle(.deferred(key))
        }
    }

    /// How a purchase stands once it stands otherwise; asks until the store answers.
    func change(of key: PurchaseKey, from state: String) async throws(ConnectionError) -> PurchaseAnswer {
        while true {
            let answer = try await repeating(forever: true) { () async throws(ConnectionError) in
                try await self.device.show(key, otherThan: state)
            }
            if answer.state != state { return answer }
        }
    }

    /// Keeps that a payment has come to nothing, and tells of it.
    func fail(_ key: PurchaseKey, _ failure: SessionFailure) {
        do {
            // Another process, or the events, may have brought the transaction meanwhile.
            guard try journal.fail(key, failure) || journal.payment(key) == nil else { return bringUpToDate() }
        } catch {
            settings.report("the journal of purchases cannot be written: \(error)")
        }
        handle(.failed(key, failure))
    }

    private func deliver(_ answer: PurchaseAnswer, of payment: JournalPayment) async throws(ConnectionError) {
        guard let signed = answer.signedTransaction, let payload = verified(signed) else {
            throw ConnectionError(
                .refused(status: 200), code: "signature_untrusted",
                "The store's signature is not one that the provisioning profile knows; it may need renewing.")
        }
        let transaction = JournalTransaction(
            id: payload.transactionId, signed: signed, payment: payment.key, state: .waiting,
            isRevoked: payload.revocationDate != nil)
        // If the journal fails, it is in the store all the same, and comes again with the events or at the next start.
        try await arrivals.take { () async -> Result<Void, ConnectionError> in await self.takeIn(transaction) }.get()
    }

    private func takeIn(_ transaction: JournalTransaction) async -> Result<Void, ConnectionError> {
        let complete = await withNewReceipts([transaction])
        do {
            try journal.store(complete)
        } catch {
            return .failure(.journal(error))
        }
        bringUpToDate()
        presence.wakeOthers()
        return .success(())
    }

    /// What a signed transaction says, if it is good; a line for people if it is not.
    func verified(_ signed: String) -> TransactionPayload? {
        do {
            return try settings.profile.payload(of: signed)
        } catch {
            settings.report("a transaction of the store cannot be believed: \(error)")
            return nil
        }
    }
}

extension SessionFailure {
    /// The customer has to settle something with the store; the transaction comes by itself afterwards.
    static let interrupted = SessionFailure(
        code: 0, reason: "interrupted",
        text: "The purchase was interrupted: something has to be settled with the store. It goes on afterwards.")

    /// Why the store ended a purchase.
    init(_ answer: PurchaseAnswer) {
        guard let failure = answer.failure else {
            self = answer.state == "cancelled" ? .cancelled : .init(code: 0, reason: answer.state, text: "It failed.")
            return
        }
        let detail = failure.detail.map { " (\($0))" } ?? ""
        self.init(code: failure.storeKitCode, reason: failure.code, text: failure.message + detail)
    }
}
