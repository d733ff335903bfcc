extension AppTransaction {
    /// The customer's download of the app. It is asked for once and kept.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { try await current(anew: false) }
    }

    /// The customer's download of the app, asked for anew. Call it when the customer wants it.
    public static func refresh() async throws -> VerificationResult<AppTransaction> { try await current(anew: true) }

    private static func current(anew: Bool) async throws -> VerificationResult<AppTransaction> {
        let session = CurrentSession.session
        try session.failIfSimulated(.appTransaction)
        guard let session = session as? DeviceSession else { throw StoreKitError.unsupported }
        let known = session.signed.appTransaction(try await signed(by: session, anew: anew))
        // What is kept may be of another version of the app, or of an older profile.
        let isOfThisVersion = known.unsafePayloadValue.appVersion == session.settings.description.appVersion
        if case .verified = known, isOfThisVersion { return known }
        return anew ? known : session.signed.appTransaction(try await signed(by: session, anew: true))
    }

    private static func signed(by session: DeviceSession, anew: Bool) async throws -> String {
        do {
            return try await session.appTransaction(anew: anew)
        } catch {
            throw StoreKitError(error)
        }
    }
}
