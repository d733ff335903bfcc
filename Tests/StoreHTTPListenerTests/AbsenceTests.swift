import StoreHTTP
import Testing

@testable import StoreHTTPListener

@Suite("A process that was stopped holds that against nobody")
struct AbsenceTests {
    @Test(
        "Time in which nobody could work is not counted", arguments: [ListenerLimits().answerTime, .milliseconds(200)])
    func absence(answerTime: Duration) {
        var limits = ListenerLimits()
        limits.answerTime = answerTime
        // The machine slept for a day.
        let slept = limits.counted(UInt64(Duration.seconds(86400) / limits.tick))
        #expect(limits.tick * slept <= max(ListenerLimits.longestAbsence, limits.tick * 2))
        #expect(slept >= 2)
    }

    @Test("All other time is")
    func presence() {
        let limits = ListenerLimits()
        for ticks in [0, 1, 2, 3] as [UInt64] { #expect(limits.counted(ticks) == Int(ticks)) }
    }

    @Test("A handler that was at work meanwhile is not given up")
    func deadline() {
        let limits = ListenerLimits()
        let deadlineLimits = ConnectionDeadline.Limits(limits)
        var deadline = ConnectionDeadline(now: 0)
        deadline.enter(.answering, now: 0)
        func verdict(at now: Int) -> ConnectionDeadline.Verdict? {
            deadline.verdict(
                now: now, deadlineLimits, countsBytes: true, retiredAt: nil, unread: { .nothing }, progress: { 0 })
        }
        let asleep = UInt64(limits.ticks(.seconds(90)))
        #expect(verdict(at: limits.counted(asleep)) == nil)
        #expect(verdict(at: Int(asleep)) == .answerTimeout)
    }
}
