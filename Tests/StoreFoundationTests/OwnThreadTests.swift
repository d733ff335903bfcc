import Foundation
import StoreFoundation
import TestSupport
import Testing

@Suite("Threads of our own", .bounded)
struct OwnThreadTests {
    private struct Refusal: Error, Equatable {
        let number: Int
    }

    @Test("What blocks is run on a thread of its own name, on which no signal arrives")
    func running() async {
        let (name, blocked) = await OwnThread.run(named: "a-thread") {
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            return (Thread.current.name, sigismember(&signals, SIGTERM) == 1 && sigismember(&signals, SIGPIPE) == 1)
        }
        #expect(name == "a-thread")
        #expect(blocked)
    }

    @Test("An error of what is run is thrown on")
    func failing() async {
        await #expect(throws: Refusal(number: 5)) {
            try await OwnThread.run(named: "a-thread") { () throws(Refusal) -> Int in throw Refusal(number: 5) }
        }
    }

    @Test("A waker ends the waiting of those who wait and of those who come later")
    func waking() async {
        let waker = Waker()
        #expect(!waker.isAwake)
        async let woken = OwnThread.run(named: "a-thread") { waker.wait(milliseconds: 600_000) }
        waker.wake()
        waker.wake()
        #expect(await woken)
        #expect(waker.isAwake)
        #expect(waker.wait(milliseconds: 600_000))
    }
}
