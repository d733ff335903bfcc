import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// How an app makes its device known anew without losing what it was.
@Suite("Registrations of a device", .bounded)
struct RegistrationTests {
    @Test("When a person switches to simulator, one of several processes registers, and no token of another ends")
    func simulator() async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = RegistrationCounter(bench.connection)
        try await bench.withSession(connection: connection) { one in
            try await bench.withSession(connection: connection) { other in
                for app in [one, other] { try await app.session.device.prepare() }
                #expect(connection.count == 1)
                for isSimulator in [true, false, true] {
                    let before = connection.count
                    bench.preferences.set(DevicePreferences(isSimulator: isSimulator))
                    let rendezvous = connection.holdRegistrations()
                    async let first: Void = one.session.device.prepare()
                    async let second: Void = other.session.device.prepare()
                    try await connection.untilHeld()
                    rendezvous.open()
                    _ = try await (first, second)
                    #expect(connection.count == before + 1)
                    #expect(connection.refusals == 0)
                    #expect(one.session.device.answer?.isSimulator == isSimulator)
                }
            }
        }
    }

    @Test(
        "A registration whose answer is lost, or that the store gets twice, signs nobody out", arguments: [true, false])
    func repeated(isLost: Bool) async throws {
        let bench = try await SessionBench(SessionStore())
        let connection = RegistrationCounter(bench.connection)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            connection.damageNext(isLost: isLost)
            bench.preferences.set(DevicePreferences(isSimulator: true))
            // A preparation that was under way before may know nothing of the person's choice yet.
            while connection.isDamagePending { _ = try? await app.session.device.prepare() }
            let answer = try await app.session.device.device()
            #expect(answer.isSignedIn)
            // What the store gets twice it takes once, so the first answer stays good.
            #expect(connection.refusals >= (isLost ? 1 : 0))
            bench.preferences.set(DevicePreferences(isSimulator: false))
            app.buy(SessionStore.jungle)
            try await app.until("purchased jungle")
        }
        #expect(bench.store.processor.charges == [1, 1])
    }
}

/// A network that counts registrations and tokens that are worth nothing, and can hold, lose or repeat a registration.
private final class RegistrationCounter: StoreConnection {
    private struct State {
        var count = 0
        var refusals = 0
        var gate: Gate?
        var isNextLost = false
        var isNextRepeated = false
    }

    private let inner: any StoreConnection
    private let state = Mutex(State())
    private let log = Transcript()

    init(_ inner: any StoreConnection) {
        self.inner = inner
    }

    var count: Int { state.withLock { $0.count } }
    /// How often the store said that a token is worth nothing.
    var refusals: Int { state.withLock { $0.refusals } }

    /// Lets registrations wait until the gate is opened.
    func holdRegistrations() -> Gate {
        let gate = Gate()
        state.withLock { $0.gate = gate }
        return gate
    }

    /// Waits until as many registrations were begun as gates were made.
    func untilHeld() async throws { try await log.until("held \(count + 1)") }

    /// Loses the answer of the next registration, or brings it to the store twice.
    func damageNext(isLost: Bool) {
        state.withLock { state in
            state.isNextLost = isLost
            state.isNextRepeated = !isLost
        }
    }

    var isDamagePending: Bool { state.withLock { $0.isNextLost || $0.isNextRepeated } }

    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        guard request.path == "/devices" else {
            let answer = try await inner.send(request)
            if answer.status == 401 { state.withLock { $0.refusals += 1 } }
            return answer
        }
        let (gate, next) = state.withLock { ($0.gate, $0.count + 1) }
        log.write("held \(next)")
        await gate?.pass()
        let answer = try await inner.send(request)
        let (isLost, isRepeated) = state.withLock { state in
            defer { (state.isNextLost, state.isNextRepeated) = (false, false) }
            state.count += 1
            return (state.isNextLost, state.isNextRepeated)
        }
        if isRepeated { _ = try await inner.send(request) }
        guard !isLost else {
            throw ConnectionError(.unreachable(mayHaveHappened: true), code: "cut", "The answer was lost.")
        }
        return answer
    }
}
