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
                let waiting = try await openConsents(isWanted: isWanted)
                guard !waiting.isEmpty else { return }
                if !isWanted, await !ask({ .shouldShowPriceConsent(answer: $0) }) { return }
                for consent in waiting {
                    guard let reply = await show(consent) else { return }
                    try keep(reply, to: consent)
                }
                try await tellPriceAnswers()
            } catch {
                // What is due is still so in the journal, and so are answers.
                if error.kind != .cancelled { trouble.note(error) }
            }
        }
    }

    /// What the store waits for, less what was answered here and, unless the app calls for it, what was shown.
    private func openConsents(isWanted: Bool) async throws(ConnectionError) -> [PriceConsentAnswer] {
        let found = try await repeating { () async throws(ConnectionError) -> [PriceConsentAnswer] in
            try await self.device.prepare()
            guard self.device.answer?.isSignedIn == true else { return [] }
            return try await self.device.priceConsents()
        }
        do {
            let known = try journal.priceConsents()
            try journal.noteLookUp(of: found)
            let answered = Set(known.answers.map(\.increase))
            return found.filter { consent in
                let increase = JournalPriceConsents.Increase(consent)
                return !answered.contains(increase) && (isWanted || !known.shown.contains(increase))
            }
        } catch {
            throw .notKept(error)
        }
    }

    /// The person's answer; nil if the session ends meanwhile.
    private func show(_ consent: PriceConsentAnswer) async -> PriceReply? {
        let known = titles.withLock { $0[consent.productId.text] } ?? ""
        let question = PriceQuestion(
            title: known.isEmpty ? consent.productId.text : known, text: consent.text,
            subscription: consent.subscriptionId, environment: settings.profile.content.environment,
            language: settings.texts.language)
        let reply = await settings.prompt.askPrice(question)
        return Task.isCancelled ? nil : reply
    }

    private func keep(_ reply: PriceReply, to consent: PriceConsentAnswer) throws(ConnectionError) {
        do {
            let agrees: Bool? = reply == .unanswered ? nil : reply == .agreed
            try journal.note(.init(consent), agrees: agrees)
        } catch {
            throw .notKept(error)
        }
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
            do {
                try journal.acknowledge(answer)
            } catch {
                throw .notKept(error)
            }
        }
    }
}
