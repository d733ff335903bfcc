package import StoreCatalogue
import StoreDatabase
package import StoreModel
import StoreSigning

/// Second factors of those who come to the console.
extension ConsoleSignIn {
    /// What an authenticator app is set up with.
    package struct NewFactor: Hashable, Sendable {
        /// As somebody types it.
        package let secret: String
        /// What the QR code says.
        package let address: String
    }

    /// How somebody stands.
    package struct FactorState: Hashable, Sendable {
        /// Nil where no code is asked for.
        package let confirmedAt: Instant?
        package let recoveryCodesLeft: Int
    }

    /// What authenticator apps show the codes under.
    private static let issuer = "Till"
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
    private static let lettersOfHalf = 5

    package func factor(of subject: String) async throws -> FactorState {
        try await store.catalogue.read { transaction in
            FactorState(
                confirmedAt: try SecondFactors.find(of: subject, in: transaction)?.confirmedAt,
                recoveryCodesLeft: try SecondFactors.recoveryCodesLeft(of: subject, in: transaction))
        }
    }

    /// Draws a secret for an app, in place of one that was drawn and not confirmed.
    package func beginFactor(of subject: String) async throws {
        let secret = try store.random(OneTimeCode.secretBytes)
        let (sealed, now) = (try await seal(secret, of: subject), now)
        try await store.catalogue.write { try SecondFactors.begin(sealed, of: subject, at: now, in: $0) }
    }

    /// The secret that was drawn and not confirmed yet; nil if there is none.
    package func pendingFactor(of subject: String) async throws -> NewFactor? {
        guard let known = try await store.catalogue.read({ try SecondFactors.find(of: subject, in: $0) }),
            known.confirmedAt == nil
        else { return nil }
        let code = OneTimeCode(secret: try await open(known.sealedSecret, of: subject))
        return NewFactor(
            secret: code.secretText, address: code.address(issuer: Self.issuer, account: subject))
    }

    /// From now on codes are asked for, if somebody has typed one of the app; every other session is over.
    /// Gives the recovery codes, which are told once.
    package func confirmFactor(
        of subject: String, code typed: String, in session: String, at place: GuessPlace, by actor: Actor,
        request: String?
    ) async throws -> [String] {
        guard let factor = try await store.catalogue.read({ try SecondFactors.find(of: subject, in: $0) }) else {
            throw ServiceError(.linkExpired, "begin again: the secret of the app is not known any more")
        }
        let (secret, now) = (try await open(factor.sealedSecret, of: subject), now)
        let step = try await store.guesses.guess(at: place, of: .secondFactor(subject)) {
            try OneTimeCode(secret: secret).step(
                of: Self.plain(typed), at: now.millisecondsSinceEpoch / 1000, after: nil)
        }
        guard let step else {
            throw ServiceError(
                .credentialsWrong, "the app shows another code; look whether its clock is right", parameter: "code")
        }
        let codes = try (0..<SecondFactors.recoveryCodes).map { _ in try drawnRecoveryCode() }
        let hashes = try await hashes(of: codes, subject)
        try await store.catalogue.write { transaction in
            try SecondFactors.confirm(
                subject, step: step, recovery: hashes,
                CatalogueChange(actor, request: request, at: now, in: transaction))
            // Whoever came in without a code, by a stolen password, stays out from now on.
            try OperatorSessions.endAll(ofSubject: subject, but: session, at: now, in: transaction)
        }
        return codes
    }

    /// Makes other recovery codes, for whoever has the app. They are told once.
    package func renewRecoveryCodes(
        of subject: String, code: String, at place: GuessPlace, by actor: Actor
    ) async throws -> [String] {
        try await prove(code, of: subject, at: place, by: actor)
        let codes = try (0..<SecondFactors.recoveryCodes).map { _ in try drawnRecoveryCode() }
        let hashes = try await hashes(of: codes, subject)
        try await store.catalogue.write { try SecondFactors.setRecoveryCodes(hashes, of: subject, in: $0) }
        return codes
    }

    /// Asks for no code any more.
    package func removeFactor(
        of subject: String, code: String, at place: GuessPlace, by actor: Actor, request: String?
    ) async throws {
        try await prove(code, of: subject, at: place, by: actor)
        let now = now
        try await store.catalogue.write { transaction in
            try SecondFactors.remove(
                of: subject, because: "removed",
                CatalogueChange(actor, request: request, at: now, in: transaction))
        }
    }

    private func prove(_ code: String, of subject: String, at place: GuessPlace, by actor: Actor) async throws {
        let isRight = try await store.guesses.guess(at: place, of: .secondFactor(subject)) {
            try await take(code, of: subject, by: actor) ? true : nil
        }
        guard isRight == true else {
            throw ServiceError(.credentialsWrong, "the code is wrong, or was used already", parameter: "code")
        }
    }

    /// Whether a code is one of the app, or a recovery code; it counts once.
    func take(_ typed: String, of subject: String, by actor: Actor) async throws -> Bool {
        guard let factor = try await store.catalogue.read({ try SecondFactors.find(of: subject, in: $0) }),
            factor.confirmedAt != nil
        else { return false }
        let (typed, now) = (Self.plain(typed), now)
        let step = try OneTimeCode(secret: await open(factor.sealedSecret, of: subject))
            .step(of: typed, at: now.millisecondsSinceEpoch / 1000, after: factor.lastStep)
        if let step { return try await store.catalogue.write { try SecondFactors.take(step, of: subject, in: $0) } }
        guard typed.count == 2 * Self.lettersOfHalf else { return false }
        let hash = try await hash(of: typed, subject)
        return try await store.catalogue.write { transaction in
            try SecondFactors.takeRecoveryCode(hash, of: subject, CatalogueChange(actor, at: now, in: transaction))
        }
    }

    /// A code without what people put between its halves.
    private static func plain(_ typed: String) -> String {
        String(typed.lowercased().filter { !$0.isWhitespace && $0 != "-" })
    }

    /// Fifty random bits, without letters that look like others.
    private func drawnRecoveryCode() throws -> String {
        let letters = try store.random(2 * Self.lettersOfHalf).map { Self.letters[Int($0) % Self.letters.count] }
        return String(letters[..<Self.lettersOfHalf]) + "-" + String(letters[Self.lettersOfHalf...])
    }

    // MARK: What is kept

    // The keys come from a secret in the books of production, so that nobody makes anything of the catalogue alone.

    private func hashes(of codes: [String], _ subject: String) async throws -> [[UInt8]] {
        var hashes: [[UInt8]] = []
        for code in codes { hashes.append(try await hash(of: Self.plain(code), subject)) }
        return hashes
    }

    private func hash(of code: String, _ subject: String) async throws -> [UInt8] {
        try await store.pageSecret.code(of: "recovery code of \(subject): \(code)".utf8)
    }

    private func sealing() async throws -> AESGCM {
        try AESGCM(key: await store.pageSecret.code(of: "second factors".utf8))
    }

    private func seal(_ secret: [UInt8], of subject: String) async throws -> [UInt8] {
        try await sealing().seal(secret, context: Array(subject.utf8), random: store.random)
    }

    private func open(_ sealed: [UInt8], of subject: String) async throws -> [UInt8] {
        try await sealing().open(sealed, context: Array(subject.utf8))
    }
}
