import StoreHTTPClient
package import StoreModel
import Synchronization

/// What a person asks for besides purchases.
extension DeviceSession {
    func runRestore(username: String?) async {
        do throws(ConnectionError) {
            if settings.preferences().isSimulator { return handle(.restoreFailed(.simulator)) }
            try await repeating { () async throws(ConnectionError) in try await self.device.prepare() }
            guard try await requireSignIn() else { return handle(.restoreFailed(.cancelled)) }
            try await restoreFromStore(username)
            handle(.restoreEnded)
        } catch {
            handle(.restoreFailed(SessionFailure(error)))
        }
    }

    private func restoreFromStore(_ username: String?) async throws(ConnectionError) {
        // A second request would bring everything back twice, so that it is repeated only if the first was never sent.
        let answer = try await repeating { () async throws(ConnectionError) -> RestorationAnswer in
            do throws(ConnectionError) {
                return try await self.device.restore()
            } catch {
                guard error.isTemporary, error.mayHaveHappened else { throw error }
                throw ConnectionError(
                    .refused(status: 0), code: error.code, error.message, request: error.request)
            }
        }
        let restored = answer.restored.compactMap { restored -> JournalTransaction? in
            guard let payload = verified(restored.signedTransaction),
                let original = verified(restored.originalSignedTransaction)
            else { return nil }
            return JournalTransaction(
                id: payload.transactionId, signed: restored.signedTransaction,
                originalSigned: restored.originalSignedTransaction, username: name(of: original, as: username),
                state: .waiting)
        }
        await renewReceipt()
        do {
            try journal.store(await withReceipts(restored))
        } catch {
            throw .journal(error)
        }
        bringUpToDate(all: true)
        presence.wakeOthers()
    }

    /// Lets a restore that is under way keep first what it brings: it alone knows under which user name.
    func untilRestored() async {
        for _ in 0..<SessionLimits.restoreInquiries where isRestoring && !Task.isCancelled {
            try? await settings.retries.wait(SessionLimits.restoreInquiry)
        }
    }

    /// The user name that a restored transaction bears: the one the app asks with, if it was bought under that.
    ///
    /// The store knows those that are UUIDs, and has them in what it signs; of others only the device knows that bought.
    private func name(of original: TransactionPayload, as username: String?) -> String? {
        let known = (try? journal.transaction(original.transactionId))?.username
        guard let username else { return known }
        let isTheirs = AppAccountToken(username).map { $0 == original.appAccountToken } ?? (username == known)
        return isTheirs ? username : known
    }

    /// Whether somebody is signed in, after asking the person if nobody was.
    private func requireSignIn() async throws(ConnectionError) -> Bool {
        if device.answer?.isSignedIn == true { return true }
        var problem: String?
        while true {
            let question = PromptQuestion(
                purchase: nil, needsSignIn: true, problem: problem,
                environment: settings.profile.content.environment, store: settings.profile.content.storeUrl)
            switch await settings.prompt.ask(question) {
            case .signIn(let email, let password):
                do throws(ConnectionError) {
                    try await signIn(email, password)
                    return true
                } catch {
                    guard error.code == "credentials_wrong" || error.status == 429 else { throw error }
                    problem = error.message
                }
            case .passwordForgotten(let email):
                try await device.recoverPassword(email)
                throw ConnectionError(
                    .refused(status: 0), code: "password_forgotten",
                    "Another password was asked for instead of signing in.")
            default: return false
            }
        }
    }

    /// Gets the receipt of the app anew. It never asks anybody anything.
    package func refreshReceipt(like properties: ReceiptProperties = ReceiptProperties()) async throws(SessionFailure) {
        do throws(ConnectionError) {
            try await withinTime { () async throws(ConnectionError) in
                try await self.device.prepare()
                try await self.receipt.renew(properties)
            }
        } catch {
            trouble.note(error)
            throw SessionFailure(error)
        }
    }

    /// Looks products up.
    package func products(for identifiers: [String]) async throws(SessionFailure) -> ProductsAnswer {
        var answer = ProductsAnswer(products: [], invalid: [])
        do throws(ConnectionError) {
            for page in Self.pages(of: identifiers) {
                let found = try await withinTime { () async throws(ConnectionError) in
                    try await self.device.prepare()
                    return try await self.device.products(page)
                }
                answer.products += found.products
                answer.invalid += found.invalid
            }
        } catch {
            trouble.note(error)
            throw SessionFailure(error)
        }
        titles.withLock { titles in
            for product in answer.products { titles[product.productId.text] = product.title }
        }
        for invalid in answer.invalid {
            guard let explanation = invalid.explanation else { continue }
            settings.report("\(invalid.productId) cannot be sold. \(explanation)")
        }
        return answer
    }

    private static func pages(of identifiers: [String]) -> [[String]] {
        stride(from: 0, to: identifiers.count, by: ProductsRequest.longest).map { start in
            Array(identifiers[start..<min(start + ProductsRequest.longest, identifiers.count)])
        }
    }

    /// Does something, again where that may help, and gives up when nobody would wait any longer.
    private func withinTime<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(ConnectionError) -> Result
    ) async throws(ConnectionError) -> Result {
        let wait = settings.retries.wait
        let longest = settings.longestRequest
        let outcome = await withTaskGroup(of: Swift.Result<Result, ConnectionError>?.self) { group in
            group.addTask {
                do throws(ConnectionError) {
                    return .success(try await self.repeating(body))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await wait(longest)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if Task.isCancelled { throw .abandoned }
        guard let outcome else {
            throw ConnectionError(
                .unreachable(mayHaveHappened: true), code: "timed_out", "The store took too long to answer.")
        }
        return try outcome.get()
    }
}
