import Synchronization

/// What a listener did and does, for metrics.
package struct ListenerStatistics: Hashable, Sendable {
    /// Connections that were accepted.
    package var connectionsAccepted = 0
    /// Connections that are open now.
    package var connections = 0
    /// Requests whose head was read.
    package var requests = 0
    /// Requests that the listener refused itself, for their form or for a limit.
    package var refusals = 0
    /// Connections that a time limit ended.
    package var timeouts = 0
    /// Requests whose handlers are at work now.
    package var suspended = 0
    /// Bytes of bodies that arrived.
    package var bytesReceived = 0
    /// Bytes of bodies that were sent to their end, where their length was known.
    package var bytesSent = 0
}

/// The counting behind it.
final class Counters: Sendable {
    let connectionsAccepted = Atomic(0)
    let connections = Atomic(0)
    let requests = Atomic(0)
    let refusals = Atomic(0)
    let timeouts = Atomic(0)
    let suspended = Atomic(0)
    let bytesReceived = Atomic(0)
    let bytesSent = Atomic(0)

    var statistics: ListenerStatistics {
        ListenerStatistics(
            connectionsAccepted: connectionsAccepted.load(ordering: .relaxed),
            connections: connections.load(ordering: .relaxed), requests: requests.load(ordering: .relaxed),
            refusals: refusals.load(ordering: .relaxed), timeouts: timeouts.load(ordering: .relaxed),
            suspended: suspended.load(ordering: .relaxed), bytesReceived: bytesReceived.load(ordering: .relaxed),
            bytesSent: bytesSent.load(ordering: .relaxed))
    }
}
