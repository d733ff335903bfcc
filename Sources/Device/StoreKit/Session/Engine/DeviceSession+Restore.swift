import StoreFoundation
import StoreHTTPClient
import StoreModel

/// Restores.
///
/// The user name of a restore is in the journal before the store is asked, so that what comes back bears it whether the
/// answer or the events bring it first. A long history comes in pages, each of which is told as it comes. What an earlier
/// restore brought and the app has not finished is told once more. The restore ends once the journal has what the answers
/// name.
extension DeviceSession {
    func runRestore(username: String?) async {
        do throws(ConnectionError) {
            if settings.preferences().isSimulator { return failRestore(.simulator) }
            try keepRestoredName(username)
            try await repeating { () async throws(ConnectionError) in try await self.device.prepare() }
            if let obstacle = try await requireSignIn() { return failRestore(obstacle) }
            // What the store takes for unfinished it brings back as it is.
            await tellFinishes()
            // What is restored changes nothing in it, and the app may read it as soon as it hears of the first.
            await renewReceipt()
            var next: TransactionID?
            repeat {
                // Looked at before the store is asked: what it makes now may come by the events first, and is told then.
                let waiting = Set(entries.compactMap { $0.bought?.id })
                let page = try await restoreOnce(after: next)
                let delivery = delivery(of: page)
                try await take(delivery)
                handle(.restoredAgain(waiting.intersection(delivery.transactions.map(\.row.id))))
                next = page.next.flatMap { $0.number > next?.number ?? 0 ? $0 : nil }
            } while next != nil
            bringUpToDate(all: true)
            handle(.restoreEnded)
        } catch {
            failRestore(SessionFailure(error))
        }
    }

    private func failRestore(_ failure: SessionFailure) {
        if failure != .cancelled { settings.report("the restore failed: \(failure)") }
        handle(.restoreFailed(failure))
    }

    private func keepRestoredName(_ username: String?) throws(ConnectionError) {
        do {
            try journal.set([.restoredName: username], isDurable: false)
        } catch {
            throw .notKept(error)
        }
    }

    /// A second request would bring a page back twice, so it is repeated only if the first was never sent.
    private func restoreOnce(after id: TransactionID?) async throws(ConnectionError) -> RestorationAnswer {
        try await repeating { () async throws(ConnectionError) -> RestorationAnswer in
            do throws(ConnectionError) {
                return try await self.device.restore(after: id)
            } catch {
                guard error.isTemporary, error.mayHaveHappened else { throw error }
                throw ConnectionError(
                    .refused(status: 0), code: error.code, error.message, request: error.request,
                    storeKitCode: error.storeKitCode ?? 0)
            }
        }
    }

    /// The user name that a restored transaction bears: the one of the restore that was asked for last, if it was bought
    /// under that.
    ///
    /// The store knows those that are UUIDs, and has them in what it signs; of others only the device knows that bought.
    func restoredName(of payload: TransactionPayload, for original: TransactionID) -> String? {
        let known = (try? journal.transaction(original))?.username
        guard let asked = (try? journal.value(.restoredName)) ?? nil else { return known }
        let isTheirs = AppAccountToken(asked).map { $0 == payload.appAccountToken } ?? (asked == known)
        return isTheirs ? asked : known
    }

    /// Has the customer signed in, after a question if that was not so. Returns why nobody is; nil if somebody is.
    func requireSignIn() async throws(ConnectionError) -> SessionFailure? {
        if device.answer?.isSignedIn == true { return nil }
        var problem: String?
        while true {
            let question = PromptQuestion(
                purchase: nil, needsSignIn: true, problem: problem,
                environment: settings.profile.content.environment, store: settings.profile.content.storeUrl,
                language: settings.texts.language)
            switch await settings.prompt.ask(question) {
            case .signIn(let email, let password):
                do throws(ConnectionError) {
                    try await signIn(email, password)
                    return nil
                } catch {
                    guard error.isOfSignIn else { throw error }
                    problem = error.sentence(in: settings.texts)
                }
            case .passwordForgotten(let email):
                try await device.recoverPassword(email)
                throw ConnectionError(
                    .refused(status: 0), code: RefusalCode.passwordForgotten.rawValue,
                    "Another password was asked for instead of signing in.", storeKitCode: 5020)
            case .impossible(let failure): return failure
            default: return .cancelled
            }
        }
    }
}
