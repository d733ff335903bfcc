import StoreLog
import StoreModel
import Synchronization
import Testing

@Suite("The log")
struct LogTests {
    @Test("An entry carries the time at which it was made, its level, and its fields in order")
    func entries() {
        let entries = Mutex<[LogEntry]>([])
        let clock = Mutex<Int64>(0)
        let log = Log(
            least: .debug,
            time: {
                clock.withLock { time in
                    time += 1
                    return Instant(millisecondsSinceEpoch: time)
                }
            },
            sink: { entry in entries.withLock { $0.append(entry) } })
        log.debug("a.b", "One.")
        log.info("a.b", "Two.", ["z": 1, "y": "\(2)", "x": true])
        log.warning("a.b", "Three.")
        log.error("a.b", "Four.")
        let written = entries.withLock { $0 }
        #expect(written.map(\.level) == [.debug, .info, .warning, .error])
        #expect(written.map(\.time.millisecondsSinceEpoch) == [1, 2, 3, 4])
        #expect(written.map(\.message) == ["One.", "Two.", "Three.", "Four."])
        #expect(written[1].fields == [.init("z", 1), .init("y", "2"), .init("x", true)])
    }

    @Test("What is below the least level is dropped", arguments: LogLevel.allCases)
    func leastLevel(least: LogLevel) {
        let count = Mutex(0)
        let log = Log(
            least: least, time: { Instant(millisecondsSinceEpoch: 0) }, sink: { _ in count.withLock { $0 += 1 } })
        log.debug("e", "m")
        log.info("e", "m")
        log.warning("e", "m")
        log.error("e", "m")
        let position = LogLevel.allCases.firstIndex(of: least) ?? 0
        #expect(count.withLock { $0 } == 4 - position)
        #expect(LogLevel.allCases.filter(log.takes) == Array(LogLevel.allCases[position...]))
    }
}
