/// What the sources of `StoreKitTest` cannot tell.
enum TestingParityNotes {
    /// What Apple's platforms do not have.
    static let own = ["func asCurrent<Result>", "func advance(by"]

    static let later: [ParityNotes.Later] = []

    /// What is not there until the store has the part that it needs: a test that uses it does not compile.
    static let waiting: [(String, String)] = [
        (
            "`buyProduct(identifier:options:)`, `simulatedError(forAPI:)`, `setSimulatedError(_:forAPI:)`, "
                + "`SKTestFailures` and the tokens of APIs", "StoreKit 2"
        )
    ]
}
