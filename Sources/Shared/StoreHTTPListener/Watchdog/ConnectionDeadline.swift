/// What a connection waits for, since when, and whether that is too long. Time is counted in ticks.
struct ConnectionDeadline {
    enum Phase {
        /// No byte of the request has been read.
        case fresh
        /// Between two requests.
        case idle
        /// The first line of a request is there, its fields are arriving.
        case head
        /// A body is arriving.
        case body
        /// Nothing is read or sent until there is room or data.
        case paused
        /// A handler is at work.
        case answering
        /// A response is being sent.
        case writing
    }

    enum Verdict {
        /// Answer that the request took too long, and close.
        case requestTimeout
        /// Close without an answer.
        case close
        /// Read no more, answer complete requests, then close.
        case farewell
        /// Cancel the handler and answer without it.
        case answerTimeout
        /// A stream of ours produced no data.
        case abort
    }

    /// What the socket has that was not read yet.
    enum Unread {
        case nothing, data
        /// The client has sent its end, and no bytes before it are unread.
        case end
    }

    /// The limits in ticks.
    struct Limits {
        let head, idle, body, longestBody, stream, answer, stall, farewell: Int
        let bodyBytesPerTick, sendBytes: Double

        init(_ limits: ListenerLimits) {
            head = limits.ticks(limits.headTime)
            idle = limits.ticks(limits.idleTime)
            body = limits.ticks(limits.bodyTime)
            longestBody = limits.ticks(limits.longestBodyTime)
            stream = limits.ticks(limits.streamTime)
            answer = limits.ticks(limits.answerTime)
            stall = limits.ticks(limits.stallTime)
            farewell = limits.ticks(limits.farewellTime)
            bodyBytesPerTick = Double(limits.bodyRate) * (limits.tick / .seconds(1))
            sendBytes = Double(limits.sendRate) * (limits.stallTime / .seconds(1))
        }
    }

    private(set) var phase = Phase.fresh
    private var since: Int
    /// Bytes of the body that is arriving.
    var received = 0
    /// Whether it goes to its handler as it arrives, and when its request began.
    var isStream = false
    private var begun = 0
    private var sent: UInt64 = 0
    /// The tick of the next check for the client's end.
    private var nextLook = 1

    init(now: Int) { since = now }

    mutating func enter(_ phase: Phase, now: Int) {
        if phase == .head || phase == .fresh || phase == .idle { (begun, isStream) = (now, false) }
        self.phase = phase
        since = now
        received = 0
        sent = 0
        nextLook = 1
    }

    /// The client has sent its end, or may send no more: no further check is needed.
    mutating func leave(now: Int) {
        enter(.head, now: now)
        nextLook = .max
    }

    /// What has to happen now, or nil. `progress` returns the bytes that the client has received; on sockets that do
    /// not count them, any change is enough. `unread` looks at the socket, because the library does not notice an end that
    /// arrives together with data, and because a request that has arrived and is not read is late by our own fault: it
    /// gets its limit once more.
    mutating func verdict(
        now: Int, _ limits: Limits, countsBytes: Bool, retiredAt: Int?, unread: () -> Unread, progress: () -> UInt64
    ) -> Verdict? {
        let waited = now - since
        if isTimeToLook(waited), unread() == .end { return .farewell }
        switch phase {
        case .fresh:
            if let retiredAt, now - max(since, retiredAt) > limits.farewell { return .farewell }
            return isTooLate(waited, limits.head, unread) ? .requestTimeout : nil
        case .idle:
            if let retiredAt, now - max(since, retiredAt) > limits.farewell { return .farewell }
            return waited > limits.idle ? .farewell : nil
        case .head: return isTooLate(waited, limits.head, unread) ? .requestTimeout : nil
        case .body:
            let earned = Double(received) / max(limits.bodyBytesPerTick, 1e-9)
            if now - begun > (isStream ? limits.stream : limits.longestBody) { return .requestTimeout }
            let limit = limits.body + Int(min(earned, Double(Int32.max)))
            return isTooLate(waited, limit, unread) ? .requestTimeout : nil
        case .paused: return waited > limits.answer ? .abort : nil
        case .answering: return waited > limits.answer ? .answerTimeout : nil
        case .writing: return stalls(now, waited, limits, countsBytes, progress) ? .close : nil
        }
    }

    private func isTooLate(_ waited: Int, _ limit: Int, _ unread: () -> Unread) -> Bool {
        waited > limit && (waited > 2 * limit || unread() != .data)
    }

    /// Active connections are checked at every tick. Idle connections may be many: they are checked at growing
    /// intervals.
    private mutating func isTimeToLook(_ waited: Int) -> Bool {
        guard waited >= nextLook, [.fresh, .idle, .head, .body].contains(phase) else { return false }
        nextLook = phase == .idle ? 2 * waited : waited + 1
        return true
    }

    private mutating func stalls(
        _ now: Int, _ waited: Int, _ limits: Limits, _ countsBytes: Bool, _ progress: () -> UInt64
    ) -> Bool {
        if waited == 0 { sent = progress() }
        guard waited > limits.stall else { return false }
        let latest = progress()
        let isEnough = countsBytes ? Double(latest &- sent) >= limits.sendBytes : latest != sent
        since = now
        sent = latest
        return !isEnough
    }
}
