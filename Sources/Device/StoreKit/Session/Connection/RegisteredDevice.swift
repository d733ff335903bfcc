import Foundation
import StoreHTTPClient
package import StoreModel
import Synchronization

/// The app on this device as the store knows it: every request goes through here, with its token.
///
/// A token that is worth nothing any more is renewed and the request repeated, once. What the person set on the device is
/// told the store before it is asked for anything.
package final class RegisteredDevice: Sendable {
    let profile: SessionProfile
    let identity: DeviceIdentity
    let journal: Journal
    let description: DeviceDescription
    let preferences: @Sendable () -> DevicePreferences
    let wall: @Sendable () -> Instant
    let paymentsMayAsk: Bool
    private let connection: any StoreConnection
    private let registering = SingleFlight()
    private let preparing = SingleFlight()
    /// The clock of the store as the last answer told it.
    private let storeClock: Mutex<StoreClock>
    package let network = ObservedValue<NetworkStatus>()
    /// What the journal said last of this device, and what that means.
    private let known = Mutex<(text: String, answer: DeviceAnswer)?>(nil)
    private let storefrontChanged = Mutex<(@Sendable () -> Void)?>(nil)
    private let signedIn = Mutex<(@Sendable () -> Void)?>(nil)
    private let keeping = Mutex(())

    /// - Parameters:
    ///   - preferences: what the person has set on the device, at every moment.
    ///   - wall: the time on the wall.
    ///   - paymentsMayAsk: whether a payment may ask for another person's yes by itself.
    package init(
        _ profile: SessionProfile, identity: DeviceIdentity, journal: Journal, connection: any StoreConnection,
        description: DeviceDescription, preferences: @escaping @Sendable () -> DevicePreferences,
        wall: @escaping @Sendable () -> Instant, paymentsMayAsk: Bool
    ) {
        self.profile = profile
        self.identity = identity
        self.journal = journal
        self.connection = connection
        self.description = description
        self.preferences = preferences
        self.wall = wall
        self.paymentsMayAsk = paymentsMayAsk
        let kept = (try? journal.value(.storeClock)).flatMap { $0.flatMap(StoreClock.init(text:)) }
        storeClock = Mutex(kept ?? StoreClock(shown: wall(), wall: wall()))
    }

    /// The time of the environment, or of the customer's own clock in it, by the last answer and how fast it runs.
    package var environmentTime: Instant { storeClock.withLock { $0 }.time(at: wall()) }

    /// What the store said last of this device.
    package var answer: DeviceAnswer? {
        guard let text = try? journal.value(.device) else { return nil }
        // Every purchase looks at it several times, and it hardly ever changes.
        if let known = known.withLock({ $0 }), known.text == text { return known.answer }
        guard let answer = try? JSONDecoder().decode(DeviceAnswer.self, from: Data(text.utf8)) else { return nil }
        known.withLock { $0 = (text, answer) }
        return answer
    }

    /// Calls a closure whenever the storefront has become another one.
    func onStorefrontChange(_ body: @escaping @Sendable () -> Void) {
        storefrontChanged.withLock { $0 = body }
    }

    /// Calls a closure whenever somebody is signed in who was not.
    func onSignIn(_ body: @escaping @Sendable () -> Void) {
        signedIn.withLock { $0 = body }
    }

    /// Takes in what the store says of this device.
    func keep(_ answer: DeviceAnswer) {
        var answer = answer
        answer.token = nil
        answer.tokenExpires = nil
        guard let data = try? JSONEncoder().encode(answer) else { return }
        // Answers may come at the same time, and a change is told once.
        let former = keeping.withLock { _ in
            let former = self.answer
            try? journal.set([.device: String(decoding: data, as: UTF8.self)])
            return former
        }
        if let former, former.storefront != answer.storefront { storefrontChanged.withLock { $0 }?() }
        if answer.isSignedIn, former?.isSignedIn != true { signedIn.withLock { $0 }?() }
    }

    /// Asks the store for something, with the token.
    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        var request = request
        request.token = try await token(replacing: nil)
        do throws(ConnectionError) {
            return try await exchange(request)
        } catch {
            guard error.status == 401, error.refusal == .tokenInvalid else { throw error }
            request.token = try await token(replacing: request.token)
            return try await exchange(request)
        }
    }

    func ask<Answer: Decodable>(
        _ request: StoreRequest, as type: Answer.Type = Answer.self
    ) async throws(ConnectionError) -> Answer {
        try Self.decode(try await send(request).body)
    }

    static func decode<Answer: Decodable>(_ body: [UInt8]) throws(ConnectionError) -> Answer {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(body))
        } catch {
            throw ConnectionError(.malformed, code: "answer_malformed", "The store's answer cannot be understood.")
        }
    }

    static func body(_ value: some Encodable) throws(ConnectionError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw ConnectionError(
                .refused(status: 400), code: RefusalCode.valueInvalid.rawValue, "The request cannot be written.",
                storeKitCode: 3)
        }
    }

    /// Sends a request as it is, and takes from every answer what all have: that the store is there, and its time.
    func exchange(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        let answer: StoreAnswer
        do throws(ConnectionError) {
            answer = try await connection.send(request)
        } catch {
            if case .unreachable = error.kind { network.set(.unreachable) }
            throw error
        }
        network.set(.reachable)
        noteTime(answer)
        guard answer.body.count <= ConnectionLimits.answerBytes else {
            throw ConnectionError(.malformed, code: "answer_too_large", "The store's answer is too large.")
        }
        guard (200..<300).contains(answer.status) else { throw ConnectionError(answer) }
        return answer
    }

    private func noteTime(_ answer: StoreAnswer) {
        guard let milliseconds = answer.fields["till-environment-time"].flatMap({ Int64($0) }) else { return }
        let rate = answer.fields["till-environment-rate"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
        let found = StoreClock(
            shown: Instant(millisecondsSinceEpoch: milliseconds).clampedToText, wall: wall(),
            rate: rate ?? StoreClock.realTime)
        let isNews = storeClock.withLock { clock in
            defer { clock = found }
            return clock.isFar(from: found)
        }
        if isNews { try? journal.set([.storeClock: found.text]) }
    }

    /// The token of the journal, or a new one if that is missing, about to end, or the one that is worth nothing.
    func token(replacing void: String?) async throws(ConnectionError) -> String {
        if let token = usableToken(), token != void { return token }
        try await register { self.usableToken().map { $0 != void } ?? false }
        guard let token = usableToken() else {
            throw ConnectionError(
                .unreachable(mayHaveHappened: false), code: "journal", "The token of the device cannot be kept.",
                storeKitCode: SessionFailure.internalCode)
        }
        return token
    }

    /// Registers, one task of one process at a time, unless it is done already: a registration ends the token of the one before.
    func register(unless isDone: @escaping @Sendable () -> Bool) async throws(ConnectionError) {
        try await registering.run { () async throws(ConnectionError) in
            let lock = try await self.registrationLock(unless: isDone)
            defer { withExtendedLifetime(lock) {} }
            // Another task or another process may have been faster.
            if !isDone() { try await self.register() }
        }
    }

    /// Keeps other processes of the app from registering at once, which would end each other's tokens. Nil if another has
    /// done it meanwhile, or takes longer than any answer may.
    private func registrationLock(unless isDone: () -> Bool) async throws(ConnectionError) -> FileLock? {
        for _ in 0..<ConnectionLimits.registrationInquiries {
            if let lock = FileLock(journal.path + ".registration") { return lock }
            if isDone() { return nil }
            do {
                try await RetryPolicy.none.wait(ConnectionLimits.registrationInquiry)
            } catch {
                throw .abandoned
            }
        }
        return nil
    }

    private func usableToken() -> String? {
        guard let token = try? journal.value(.token),
            let expires = (try? journal.value(.tokenExpires)).flatMap({ $0.flatMap { Int64($0) } }),
            wall().millisecondsSinceEpoch < expires - SessionLimits.tokenRenewal.milliseconds
        else { return nil }
        return token
    }

    /// Brings the store up to date with what the person set on the device, after making the device known.
    package func prepare() async throws(ConnectionError) {
        try await preparing.run { () async throws(ConnectionError) in try await self.tellPreferences() }
    }
}

extension Duration {
    /// In whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, fraction) = components
        return seconds * 1000 + fraction / 1_000_000_000_000_000
    }
}
