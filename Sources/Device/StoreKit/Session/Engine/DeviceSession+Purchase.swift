import StoreFoundation
import StoreHTTPClient
import StoreModel

/// What becomes of a payment, from the journal to the transaction or to the reason why there is none.
///
/// | what fails | what the app gets |
/// |---|---|
/// | the journal, before anything was sent | `.failed`; nothing will be charged |
/// | the signature of what was bought | `purchase(options:)` returns it as unverified; the original API gets `.failed` |
/// | the journal, after it was paid | `.deferred`; the store brings it again once it can be kept |
/// | the store cannot be reached before the customer said yes | `.failed`; nothing will be charged |
/// | the store cannot be reached after that | `.deferred` after a while; it is asked until it answers |
/// | somebody else has to say yes | `.deferred`, then `.purchased` or `.failed` |
/// | the app ends | at its next start the payment goes on from where it was, without a question, see ``resume(_:)`` |
extension DeviceSession {
    func purchase(_ key: PurchaseKey) async {
        guard let payment = try? journal.payment(key), payment.isOpen else { return }
        if let obstacle = obstacle(payment) {
            fail(key, obstacle)
            if obstacle == .restricted { await settings.prompt.tell(PromptNotice(settings.texts("error.4"))) }
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
        guard SessionLimits.quantities.contains(payment.payment.quantity) else {
            return SessionFailure(
                code: 3, reason: "quantity_out_of_range",
                text: "The quantity of a payment is 1 to \(SessionLimits.quantities.upperBound), and this one has "
                    + "\(payment.payment.quantity).")
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
        var (opened, answer) = (opened, opened)
        var isPatient = true
        while !Task.isCancelled {
            // Somebody was signed in for it, on its page or by a command.
            if ![.signIn, .cancelled].contains(answer.state), device.answer?.isSignedIn != true { noteSignIn() }
            do throws(ConnectionError) {
                switch answer.state {
                case .purchased where answer.isDeliveredElsewhere == true:
                    return fail(payment.key, .deliveredElsewhere)
                case .purchased where returnUnverified(answer, to: payment): return
                case .purchased: return try await deliver(try delivery(of: answer, to: payment), to: payment.key)
                case .cancelled, .declined, .failed: return fail(payment.key, SessionFailure(answer))
                case .interrupted:
                    fail(payment.key, .interrupted)
                    return await settings.prompt.tell(PromptNotice(interruption(of: answer.purchaseId)))
                case .signIn, .confirmation:
                    let token = opened.confirmation?.token
                    if mayAsk, token != nil, answer.confirmation?.code != opened.confirmation?.code {
                        // Signing in has changed the price, and the token was for the former one.
                        opened = try await open(payment)
                        answer = opened
                        continue
                    }
                    let next =
                        mayAsk
                        ? try await question(payment, answer, token: token) : try await giveUp(payment)
                    guard let next else { return }
                    answer = next
                case .deferred:
                    // The customer has said yes: from now on the store is asked until it answers.
                    try? keep(.confirmed, of: payment)
                    handle(.deferred(payment.key))
                    if mayAsk { await settings.prompt.tell(PromptNotice(settings.texts("prompt.deferred"))) }
                    answer = try await change(of: payment.key, from: answer.state)
                case .action:
                    handle(.deferred(payment.key))
                    let notice = PromptNotice(settings.texts("prompt.action"), address: answer.actionUrl)
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

    /// Takes in what was bought. It was paid, so whatever is to be asked first is asked until the store answers; the events may
    /// bring the transaction meanwhile.
    private func deliver(_ delivery: Delivery, to key: PurchaseKey) async throws(ConnectionError) {
        let timer = deferral(of: key)
        defer { timer?.cancel() }
        do throws(ConnectionError) {
            try await repeating(forever: true) { () async throws(ConnectionError) in
                do throws(ConnectionError) {
                    try await self.take(delivery)
                } catch {
                    // A journal that cannot be written does not get better by asking.
                    throw error.code == ConnectionError.journalCode ? .notKept(error) : error
                }
            }
        } catch {
            guard error.code == ConnectionError.journalCode else { throw error }
            // Who is told that it failed buys it again.
            settings.report("a payment was made, and what it bought cannot be kept yet: \(error)")
            handle(.deferred(key))
        }
    }

    /// What the person is told of an interruption; in the sandbox also how it is settled.
    private func interruption(of purchase: PurchaseID) -> String {
        let texts = settings.texts
        guard settings.profile.content.environment == .sandbox else { return texts("error.interrupted") }
        let command = texts("prompt.settle", ["command": "till purchases settle \(purchase)"])
        return "\(texts("error.interrupted")) \(command)"
    }

    /// Waits until the state of a purchase changes; the app is told that it may take long, if it does.
    private func patiently(
        _ key: PurchaseKey, _ isPatient: inout Bool, from state: PurchaseState
    ) async throws(ConnectionError) -> PurchaseAnswer {
        let timer = isPatient ? deferral(of: key) : nil
        isPatient = false
        defer { timer?.cancel() }
        return try await change(of: key, from: state)
    }

    /// Tells the app that a payment is deferred, unless that is cancelled in time.
    func deferral(of key: PurchaseKey) -> Task<Void, Never>? {
        let wait = settings.retries.wait
        return tasks.start { [weak self] in
            guard (try? await wait(SessionLimits.patience)) != nil, !Task.isCancelled else { return }
            self?.handle(.deferred(key))
        }
    }

    /// A purchase once it has another state; asks until the store answers.
    func change(of key: PurchaseKey, from state: PurchaseState) async throws(ConnectionError) -> PurchaseAnswer {
        while true {
            let answer = try await repeating(forever: true) { () async throws(ConnectionError) in
                try await self.device.show(key, otherThan: state)
            }
            if answer.state != state { return answer }
        }
    }

    /// Keeps that a payment has come to nothing, and tells of it.
    func fail(_ key: PurchaseKey, _ failure: SessionFailure) {
        let isModern = (try? journal.payment(key))?.payment.source == .modern
        do {
            // Another process, or the events, may have brought the transaction meanwhile.
            guard try journal.fail(key, failure) || journal.payment(key) == nil else { return bringUpToDate() }
        } catch {
            settings.report("the journal of purchases cannot be written: \(error)")
        }
        if failure.code != SKError.Code.paymentCancelled.rawValue || failure.reason.hasPrefix("prompt") {
            settings.report("a payment failed: \(failure)")
        }
        handle(.failed(key, failure))
        // Nobody else finishes it: `purchase(options:)` has said what became of it, or the process that called it is gone.
        if isModern { finish(.payment(key)) }
    }
}

/// What becomes of a payment whose process has ended before it was settled.
///
/// A question appears only after the customer has asked for something, and this one would come with the start of an app. So
/// none is asked: what the store has decided meanwhile is told, what it is still deciding is waited for, and what waits
/// for a yes or a sign-in is given up.
///
/// | state at the store | what the app gets |
/// |---|---|
/// | purchased, also after a yes elsewhere | `.purchased` |
/// | waiting for an approval | `.deferred` until it is decided |
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
            let wasNeverSent = (error.status == 404 || error.refusal == .purchaseForgotten) && payment.state == .added
            fail(key, wasNeverSent ? .unanswered : SessionFailure(error))
        }
    }

    /// Cancels a purchase without an answer. Returns the purchase if an answer was faster; nil if the app was told.
    func giveUp(
        _ payment: JournalPayment, because failure: SessionFailure = .unanswered
    ) async throws(ConnectionError) -> PurchaseAnswer? {
        guard let answer = try await cancel(payment, because: failure) else { return nil }
        guard answer.state == .cancelled else { return answer }
        fail(payment.key, failure)
        return nil
    }
}

extension SessionFailure {
    /// The app ended while the person was being asked.
    static let unanswered = SessionFailure(
        code: 2, reason: "unanswered", text: "The app ended before the customer had said yes; nothing was charged.")

    /// This device was away, and another one of the customer has what was bought.
    static let deliveredElsewhere = SessionFailure(
        code: 0, reason: "delivered_elsewhere",
        text: "It was bought, and another device of the account has delivered it meanwhile.")

    /// The customer has to settle something with the store; the transaction comes by itself afterwards.
    static let interrupted = SessionFailure(
        code: 0, reason: "interrupted",
        text:
            "Something has to be settled with the store first (in the sandbox: till purchases settle last), and the purchase "
            + "goes on afterwards.")

    /// Why the store ended a purchase.
    init(_ answer: PurchaseAnswer) {
        guard let failure = answer.failure else {
            self =
                answer.state == .cancelled
                ? .cancelled : .init(code: Self.internalCode, reason: answer.state.rawValue, text: "It failed.")
            return
        }
        let detail = failure.detail.map { " (\($0))" } ?? ""
        self.init(code: failure.storeKitCode, reason: failure.code.rawValue, text: failure.message + detail)
    }
}
