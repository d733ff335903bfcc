import StoreModel
import Testing

@testable import StoreDatabase

@Suite("When work that failed is tried again")
struct RetryScheduleTests {
    private func delays(_ schedule: RetrySchedule, _ failures: ClosedRange<Int>) -> [Int64?] {
        failures.map { schedule.next(after: $0, at: Instant(millisecondsSinceEpoch: 0))?.millisecondsSinceEpoch }
    }

    @Test("Each delay is twice the one before, up to the longest, until all attempts were made")
    func doubling() {
        let schedule = RetrySchedule.doubling(from: 5, upTo: 30, attempts: 7)
        #expect(delays(schedule, 0...8) == [nil, 5, 10, 20, 30, 30, 30, nil, nil])
        #expect(delays(.doubling(from: 5, upTo: 30, attempts: 2), 1...2) == [5, nil])
        #expect(delays(.doubling(from: 50, upTo: 30, attempts: 3), 1...3) == [30, 30, nil])
        for attempts in [0, 1] { #expect(delays(.doubling(from: 5, upTo: 30, attempts: attempts), 1...1) == [nil]) }
    }

    @Test("Delays without end are as long as the longest, and none is after the last of all instants")
    func longest() {
        let schedule = RetrySchedule.doubling(from: 3, upTo: .max, attempts: .max)
        #expect(delays(schedule, 61...64) == [3 << 60, 3 << 61, .max, .max])
        let last = Instant(millisecondsSinceEpoch: .max)
        #expect(schedule.next(after: 1, at: last) == last)
    }

    @Test("Delays that are given are kept to, and after the last one nothing is tried any more")
    func given() {
        #expect(delays(RetrySchedule(delays: [7, 2]), 1...3) == [7, 2, nil])
        #expect(delays(RetrySchedule(delays: []), 1...1) == [nil])
    }
}
