import CMicroHTTPD
import Glibc
import StoreHTTP
import Synchronization

/// One connection: what it waits for, and how it is ended from outside.
///
/// The library closes the descriptor only after ``close()``, so under the lock of an open connection the descriptor is
/// the right one.
final class ListenerConnection: Sendable {
    private struct State {
        var deadline: ConnectionDeadline
        var exchange: Exchange?
        var isEnded = false
        var isClosed = false
    }

    /// What the limits of connections say of one.
    enum Admission {
        case admitted
        /// The connection gets one answer, which says that there are too many.
        case surplus
        /// The connection is closed at once, because too many wait for that answer already.
        case refused
    }

    let peer: PeerAddress
    let admission: Admission
    let daemon: ServingDaemon
    private let descriptor: Int32
    private let state: Mutex<State>

    init(_ descriptor: Int32, peer: PeerAddress, _ admission: Admission, daemon: ServingDaemon) {
        self.descriptor = descriptor
        self.peer = peer
        self.admission = admission
        self.daemon = daemon
        state = Mutex(State(deadline: ConnectionDeadline(now: daemon.core.now)))
    }

    /// Enters the next phase; false if the connection has been ended.
    @discardableResult
    func enter(_ phase: ConnectionDeadline.Phase) -> Bool {
        let now = daemon.core.now
        return state.withLock { state in
            state.deadline.enter(phase, now: now)
            return !state.isEnded
        }
    }

    /// The same, unless it is in that phase already: the time is then counted from its beginning.
    @discardableResult
    func stay(in phase: ConnectionDeadline.Phase) -> Bool {
        let now = daemon.core.now
        return state.withLock { state in
            if state.deadline.phase != phase { state.deadline.enter(phase, now: now) }
            return !state.isEnded
        }
    }

    /// The body goes to its handler as it arrives.
    func streams() { state.withLock { $0.deadline.isStream = true } }

    func received(_ count: Int) { state.withLock { $0.deadline.received += count } }

    /// The request that is being served, so it can be ended.
    func begin(_ exchange: Exchange) -> Bool {
        let now = daemon.core.now
        return state.withLock { state in
            state.exchange = exchange
            state.deadline.enter(.head, now: now)
            return !state.isEnded
        }
    }

    /// The request is over, and the next one may come.
    func end(_ exchange: Exchange) {
        let now = daemon.core.now
        state.withLock { state in
            guard state.exchange === exchange else { return }
            state.exchange = nil
            state.deadline.enter(.idle, now: now)
        }
    }

    /// Called before the library closes the descriptor.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.exchange = nil
        }
    }

    /// Closes it before anything was read; the library notices.
    func refuse() {
        state.withLock { state in
            state.isEnded = true
            say(CannedResponse.tooManyConnections)
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Ends it in the middle of a response, or in its place. In its turbo mode the library notices that a body has failed, but leaves
    /// the connection open until its next event.
    func abortResponse() {
        state.withLock { state in
            guard !state.isClosed, !state.isEnded else { return }
            state.isEnded = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    var exchange: Exchange? { state.withLock { $0.exchange } }

    /// Checks whether the client or the handler took too long, and acts on it.
    func watch(now: Int, retiredAt: Int?) {
        let limits = daemon.core.deadlineLimits
        let (verdict, exchange) = state.withLock { state -> (ConnectionDeadline.Verdict?, Exchange?) in
            guard !state.isClosed, !state.isEnded else { return (nil, nil) }
            let verdict = state.deadline.verdict(
                now: now, limits, countsBytes: peer.port != nil, retiredAt: retiredAt,
                unread: { unread }, progress: { till_send_progress(descriptor) })
            guard let verdict else { return (nil, nil) }
            act(on: verdict, &state)
            return (verdict, state.exchange)
        }
        guard let verdict else { return }
        if verdict != .farewell { daemon.core.counters.timeouts.add(1, ordering: .relaxed) }
        switch verdict {
        case .answerTimeout: exchange?.timeOut()
        case .abort: exchange?.abort()
        case .requestTimeout, .close, .farewell: break
        }
    }

    private var unread: ConnectionDeadline.Unread {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count > 0 ? .data : count == 0 ? .end : .nothing
    }

    private func act(on verdict: ConnectionDeadline.Verdict, _ state: inout State) {
        switch verdict {
        case .requestTimeout:
            state.isEnded = true
            say(CannedResponse.requestTimeout)
            shutdown(descriptor, Int32(SHUT_RDWR))
        case .close, .abort:
            state.isEnded = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        case .farewell:
            // Data that has arrived is still read and answered.
            shutdown(descriptor, Int32(SHUT_RD))
            state.deadline.leave(now: daemon.core.now)
        case .answerTimeout: state.deadline.enter(.answering, now: daemon.core.now)
        }
    }

    /// Sends a response without the library, which takes none at this point. Never within TLS.
    func say(_ response: CannedResponse) {
        guard !daemon.isSecure else { return }
        response.bytes.withUnsafeBytes { bytes in
            _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }
}
