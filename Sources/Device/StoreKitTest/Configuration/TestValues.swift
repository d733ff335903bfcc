import Synchronization

/// The settings of a session as they are at the moment.
final class TestValues: Sendable {
    private let state: Mutex<TestSettings>

    init(_ settings: TestSettings) {
        state = Mutex(settings)
    }

    var current: TestSettings { state.withLock { $0 } }

    func change<Result: Sendable>(_ body: @Sendable (inout TestSettings) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
