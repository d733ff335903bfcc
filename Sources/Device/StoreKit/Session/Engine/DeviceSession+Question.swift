import StoreFoundation
import StoreModel
import Synchronization

/// What the customer is asked during a purchase.
extension DeviceSession {
    // Closed: the things that end a question.
    private enum Result {
        case replied(PromptReply)
        case changed(PurchaseAnswer)
        case failed(ConnectionError)
    }

    /// Asks the customer, and listens meanwhile for an answer that is given elsewhere. Returns the purchase as it is then; nil
    /// if the app was told already that it failed.
    ///
    /// - Parameter token: the secret with which the device itself may say yes.
    func question(
        _ payment: JournalPayment, _ answer: PurchaseAnswer, token: String?
    ) async throws(ConnectionError) -> PurchaseAnswer? {
        var problem: String?
        while true {
            let question = question(answer, problem, acceptsYes: token != nil)
            switch await ask(question, payment.key, answer.state) {
            case .changed(let next): return next
            case .failed(let error): throw error
            case .replied(let reply):
                do throws(ConnectionError) {
                    return try await act(on: reply, payment, answer, token)
                } catch {
                    guard error.isOfSignIn else { throw error }
                    problem = error.sentence(in: settings.texts)
                }
            }
        }
    }

    private func question(_ answer: PurchaseAnswer, _ problem: String?, acceptsYes: Bool) -> PromptQuestion {
        let environment = settings.profile.content.environment
        return PromptQuestion(
            purchase: .init(
                title: answer.title ?? answer.productId.text, quantity: answer.quantity,
                unitPrice: answer.unitPrice.display,
                total: answer.total.display, code: answer.confirmation?.code, page: page(answer),
                acceptsYes: acceptsYes && environment == .sandbox, isOwned: answer.isOwned == true,
                terms: answer.terms),
            needsSignIn: answer.state == .signIn, problem: problem, environment: environment,
            store: settings.profile.content.storeUrl, language: settings.texts.language)
    }

    private func page(_ answer: PurchaseAnswer) -> String? {
        answer.confirmation?.page.map { "\(settings.profile.content.storeUrl)\($0)" }
    }

    private func ask(_ question: PromptQuestion, _ key: PurchaseKey, _ state: PurchaseState) async -> Result {
        let prompt = settings.prompt
        if !prompt.asksPerson {
            // It answers at once, so that no answer elsewhere is faster.
            let reply = await prompt.ask(question)
            return reply == .elsewhere ? await changed(key, from: state) : .replied(reply)
        }
        return await withTaskGroup(of: Result?.self) { group in
            group.addTask {
                let reply = await prompt.ask(question)
                // Where the answer will be given elsewhere, the change of the purchase is what ends the question.
                return reply == .elsewhere ? nil : .replied(reply)
            }
            group.addTask { await self.changed(key, from: state) }
            defer { group.cancelAll() }
            while let result = await group.next() {
                if let result { return result }
            }
            return .failed(.abandoned)
        }
    }

    private func changed(_ key: PurchaseKey, from state: PurchaseState) async -> Result {
        do throws(ConnectionError) {
            return .changed(try await change(of: key, from: state))
        } catch {
            return .failed(error)
        }
    }

    private func act(
        on reply: PromptReply, _ payment: JournalPayment, _ answer: PurchaseAnswer, _ token: String?
    ) async throws(ConnectionError) -> PurchaseAnswer? {
        // The session ends: the purchase waits for the next one.
        if Task.isCancelled { throw .abandoned }
        switch reply {
        case .yes: return try await confirm(payment, ConfirmationRequest(token: token))
        case .password(let password):
            return try await confirm(payment, ConfirmationRequest(password: password, code: answer.confirmation?.code))
        case .signIn(let email, let password):
            try await signIn(email, password)
            guard try await maySwitchStorefront(payment, answer) else { return nil }
        case .passwordForgotten(let email):
            try await repeating { () async throws(ConnectionError) in try await self.device.recoverPassword(email) }
        case .cancelled, .elsewhere:
            return try await cancel(payment)
        case .impossible(let failure):
            return try await giveUp(payment, because: failure)
        }
        return try await repeating { () async throws(ConnectionError) in try await self.device.show(payment.key) }
    }

    func signIn(_ email: String, _ password: String) async throws(ConnectionError) {
        // An answer that is lost may have signed somebody in.
        defer { noteSignIn() }
        try await repeating { () async throws(ConnectionError) in try await self.device.signIn(email, password) }
    }

    /// Says yes. From here on the customer may be charged, so that nothing but the store's word ends the payment.
    private func confirm(
        _ payment: JournalPayment, _ confirmation: ConfirmationRequest
    ) async throws(ConnectionError) -> PurchaseAnswer {
        try keep(.confirmed, of: payment)
        let timer = deferral(of: payment.key)
        defer { timer?.cancel() }
        do throws(ConnectionError) {
            return try await repeating(forever: true) { () async throws(ConnectionError) in
                try await self.device.confirm(payment.key, confirmation)
            }
        } catch {
            guard let status = error.status else { throw error }
            if error.refusal == .credentialsWrong { try keep(.added, of: payment) }
            guard status == 409 || status == 404 else { throw error }
            return try await repeating(forever: true) { () async throws(ConnectionError) in
                try await self.device.show(payment.key)
            }
        }
    }

    func keep(_ state: JournalPayment.State, of payment: JournalPayment) throws(ConnectionError) {
        do {
            try journal.set(state, of: payment.key)
        } catch {
            throw .notKept(error)
        }
    }

    /// Says no. If the store cannot be told, the purchase ends there by itself, without a yes.
    func cancel(
        _ payment: JournalPayment, because failure: SessionFailure = .cancelled
    ) async throws(ConnectionError) -> PurchaseAnswer? {
        do throws(ConnectionError) {
            return try await repeating { () async throws(ConnectionError) in
                try await self.device.cancel(payment.key)
            }
        } catch {
            if error.status == 409 { return try await device.show(payment.key) }
            guard error.kind != .cancelled else { throw error }
            fail(payment.key, failure)
            return nil
        }
    }

    /// Whether the app goes on where signing in has led to another storefront.
    private func maySwitchStorefront(
        _ payment: JournalPayment, _ answer: PurchaseAnswer
    ) async throws(ConnectionError) -> Bool {
        guard let storefront = device.answer?.storefront, storefront.currency != answer.total.currency else {
            return true
        }
        let told = mayContinue(payment.key, in: storefront)
        let mayGoOn =
            if let told { told } else if payment.payment.source == .modern { true } else {
                await ask(.storefront) { .shouldContinue(.payment(payment.key), storefront, answer: $0) }
            }
        if mayGoOn { return true }
        _ = try? await device.cancel(payment.key)
        fail(
            payment.key,
            SessionFailure(
                code: 5, reason: "storefront_changed", text: "The app does not sell this in the other storefront."))
        return false
    }
}
