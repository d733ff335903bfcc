import StoreHTTP

/// The limits of what a listener takes from its clients, and how long it waits for them.
package struct ListenerLimits: Hashable, Sendable {
    /// The first line and the fields of a request, in bytes; more is answered with 431, a longer target with 414.
    package var headBytes = 12 * 1024
    /// What a connection has for a head, what is known of it, and the head of the response: cleared for each request, and
    /// all that it holds while it waits but its socket.
    var connectionBytes: Int { 2 * headBytes }
    /// What of a refused body is still read so that the client sees the answer, for most send all before they read; beyond
    /// it the connection is closed.
    package var discardedBytes = 16 * 1024 * 1024
    /// Connections at once; a further one is told to come back later.
    package var connections = 20_000
    /// Connections at once from one address, or one /64 of IPv6; a further one is told to come back later. Nil behind a proxy, whose address they all have.
    package var connectionsPerAddress: Int?
    /// Connections that wait to be accepted.
    package var backlog = 1024
    /// Requests whose handlers are at work at once; a further one is told to come back later.
    package var suspendedRequests = 20_000

    /// Until the head of a connection's first request is there, and from the first line to the last field of any.
    package var headTime = Duration.seconds(10)
    /// Between the end of a response and the first line of the next request.
    package var idleTime = Duration.seconds(75)
    /// What a body may take in any case. It may take longer at ``bodyRate``.
    package var bodyTime = Duration.seconds(15)
    /// Bytes in a second that a body has to bring beyond ``bodyTime``.
    package var bodyRate = 1024
    /// Until a handler that is not done is cancelled and its request answered with 503.
    package var answerTime = Duration.seconds(60)
    /// In each such time the client has to have taken ``sendRate`` bytes a second of its response.
    package var stallTime = Duration.seconds(15)
    /// Bytes in a second that a client has to take.
    package var sendRate = 256
    /// How long an idle connection of a listener that stops is kept for a request that may be under way.
    package var farewellTime = Duration.seconds(1)

    /// How long a handler may wait for news before it answers that there are none. A transport is not told that a
    /// client has gone while it waits, so a wait must end.
    package static let longPoll = Duration.seconds(25)

    package init() {}

    /// The shortest wait decides how often the watchdog looks.
    var tick: Duration {
        let shortest = [headTime, idleTime, bodyTime, answerTime, stallTime, farewellTime].min() ?? headTime
        return max(.milliseconds(10), min(.milliseconds(500), shortest / 4))
    }

    /// The longest time between two looks of the watchdog that counts. A process that was stopped, or the machine under
    /// it, has had no more to work with, however late it is by then.
    static let longestAbsence = Duration.seconds(2)

    /// The ticks that count of those that have passed since the last look.
    func counted(_ ticks: UInt64) -> Int { Int(min(ticks, UInt64(max(2, self.ticks(Self.longestAbsence))))) }

    func ticks(_ time: Duration) -> Int { Int((time / tick).rounded(.up)) }
}
