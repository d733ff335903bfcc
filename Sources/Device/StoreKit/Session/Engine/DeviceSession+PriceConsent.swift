import StoreFoundation
import StoreHTTPClient
import StoreModel
import Synchronization

/// Higher prices that the customer has to agree to.
///
/// | what happens | what the person sees |
/// |---|---|
/// | the store tells of one, and the delegate has nothing against it | the question, once |
/// | the delegate says not now | nothing, until the app calls `showPriceConsentIfNeeded()` |
/// | the app calls that | the question, as long as the store waits for an answer |
/// | the app ends while the question is on the screen | the question again, at the next launch |
/// | the app ends after the answer | nothing; the store is told at the next launch |
extension DeviceSession {
    package func showPriceConsentIfNeeded() {
        tasks.start { [weak self] in await self?.askAboutPrices(isWanted: true) }
    }

    /// Asks about what the store has told of since it was last asked, if the app is there to be asked before.
    func askAboutPrices() {
        guard isAttached, (try? journal.priceConsents().isDue) == true else { return }
        tasks.start { [weak self] in await self?.askAboutPrices(isWanted: false) }
    }

    /// - Parameter isWanted: whether the app has called for it.
    private func askAboutPrices(isWanted: Bool) async {
        guard !isSimulator else { return }
        // One question after the other: the second finds what the first has answered.
        await pricing.run { [self] in
            do throws(ConnectionError) {
                guard isWanted || (try? journal.priceConsents().isDue) == true else { return }
                let known = try consents().told
                let found = try await openConsents()
                let waiting = try notShown(found, isWanted: isWanted)
                var isShown = isWanted
                if !isWanted, !waiting.isEmpty {
                    isShown = await ask(.priceConsent) { .shouldShowPriceConsent(answer: $0) }
                }
                if isShown {
                    for consent in waiting {
                        guard let reply = await show(consent) else { return }
                        try keep { try $0.note(.init(consent), agrees: reply == .unanswered ? nil : reply == .agreed) }
                    }
                }
                try keep { try $0.settlePriceConsents(found, known: known) }
                try await tellPriceAnswers()
            } catch {
                // What is due is still so in the journal, and so are answers.
                if error.kind != .cancelled { trouble.note(error) }
            }
        }
    }

    private func consents() throws(ConnectionError) -> JournalPriceConsents {
        do {
            return try journal.priceConsents()
        } catch {
            throw .notKept(error)
        }
    }

    private func keep(_ body: (Journal) throws -> Void) throws(ConnectionError) {
        do {
            try body(journal)
        } catch {
            throw .notKept(error)
        }
    }

    /// What the store waits for.
    private func openConsents() async throws(ConnectionError) -> [PriceConsentAnswer] {
        try await repeating { () async throws(ConnectionError) -> [PriceConsentAnswer] in
            try await self.device.prepare()
            guard self.device.answer?.isSignedIn == true else { return [] }
            return try await self.device.priceConsents()
        }
    }

    /// Less what was answered here and, unless the app calls for it, what was shown.
    private func notShown(
        _ found: [PriceConsentAnswer], isWanted: Bool
    ) throws(ConnectionError) -> [PriceConsentAnswer] {
        let known = try consents()
        let answered = Set(known.answers.map(\.increase))
        return found.filter { consent in
            let increase = JournalPriceConsents.Increase(consent)
            return !answered.contains(increase) && (isWanted || !known.shown.contains(increase))
        }
    }

    /// The person's answer; nil if the session ends meanwhile.
    private func show(_ consent: PriceConsentAnswer) async -> PriceReply? {
        let question = PriceQuestion(
            title: consent.title ?? consent.productId.text, text: consent.text,
            subscription: consent.subscriptionId, environment: settings.profile.content.environment,
            language: settings.texts.language)
        let reply = await settings.prompt.askPrice(question)
        return Task.isCancelled ? nil : reply
    }

    /// Tells the store of every answer, until it has heard.
    func tellPriceAnswers() async throws(ConnectionError) {
        while let answer = (try? journal.priceConsents())?.answers.first, !Task.isCancelled {
            do throws(ConnectionError) {
                try await repeating { () async throws(ConnectionError) in try await self.device.answer(answer) }
            } catch {
                // Of what is not asked about any more there is nothing to tell.
                guard error.status == 404 || error.status == 409 || error.status == 403 else { throw error }
            }
            try keep { try $0.acknowledge(answer) }
        }
    }
}
