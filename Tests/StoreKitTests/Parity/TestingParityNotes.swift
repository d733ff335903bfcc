/// What the sources of `StoreKitTest` cannot tell.
enum TestingParityNotes {
    /// What Apple's platforms do not have.
    static let own = [
        "func asCurrent<Result>", "func advance(by", "func advance(to", "var currentDate", "func relaunch(",
        "func addDevice(", "func snapshot(", "func fork(", "init(_ snapshot", "func onNotification(",
        "var rootCertificates", "var bundleIdentifier", "func add(_ fault", "func clearFaults(",
        "func run(scenario",
    ]
    static let ownTypes: Set<String> = [
        "SKTestSession.Device", "SKTestSession.Fault", "SKTestSession.Fault.Effect", "SKTestSession.ScenarioFailure",
        "SKTestSession.Snapshot",
    ]

    static let later: [ParityNotes.Later] = []

    /// What is not there: a test that uses it does not compile.
    static let excluded: [(String, String)] = [
        (
            "`SKAdTestSession`, `SKAdImpressionTester`, `SKAdTestPostback`, `SKAdTestError`",
            "advertisements are not part of the store"
        )
    ]
}
