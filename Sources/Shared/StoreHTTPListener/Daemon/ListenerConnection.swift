import CMicroHTTPD
import Glibc
import StoreHTTP
import Synchronization

/// One connection: what it is waited for, and how it is ended from outside.
///
/// The library closes the descriptor only after ``close()``, so that what happens to it under the lock of an open
/// connection happens to the right one.
final class ListenerConnection: Sendable {
    private struct State {
        var vigil: Vigil
        var exchange: Exchange?
        var isEnded = false
        var isClosed = false
    }

    let peer: PeerAddress
    /// Beyond the limit of connections: it gets one answer, which says so.
    let isSurplus: Bool
    let daemon: ServingDaemon
    private let descriptor: Int32
    private let state: Mutex<State>

    init(_ descriptor: Int32, peer: PeerAddress, isSurplus: Bool, daemon: ServingDaemon) {
        self.descriptor = descriptor
        self.peer = peer
        self.isSurplus = isSurplus
        self.daemon = daemon
        state = Mutex(State(vigil: Vigil(now: daemon.core.now)))
    }

    /// Goes on to the next thing to wait for; false if the connection has been ended.
    @discardableResult
    func enter(_ phase: Vigil.Phase) -> Bool {
        let now = daemon.core.now
        return state.withLock { state in
            state.vigil.enter(phase, now: now)
            return !state.isEnded
        }
    }

    /// The same, unless that is what it is at already: how long it waits there is counted from the beginning.
    @discardableResult
    func stay(in phase: Vigil.Phase) -> Bool {
        let now = daemon.core.now
        return state.withLock { state in
            if state.vigil.phase != phase { state.vigil.enter(phase, now: now) }
            return !state.isEnded
        }
    }

    func received(_ count: Int) { state.withLock { $0.vigil.received += count } }

    /// The request that is being served, for those who have to end it.
    func begin(_ exchange: Exchange) -> Bool {
        let now = daemon.core.now
        return state.withLock { state in
            state.exchange = exchange
            state.vigil.enter(.head, now: now)
            return !state.isEnded
        }
    }

    /// The request is over, and the next one may come.
    func end(_ exchange: Exchange) {
        let now = daemon.core.now
        state.withLock { state in
            guard state.exchange === exchange else { return }
            state.exchange = nil
            state.vigil.enter(.idle, now: now)
        }
    }

    /// Called before the library closes the descriptor.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.exchange = nil
        }
    }

    /// Ends it in the middle of a response. In its turbo mode the library notices that a body has failed, and leaves the
    /// connection as it is until something else happens to it.
    func sever() {
        state.withLock { state in
            guard !state.isClosed, !state.isEnded else { return }
            state.isEnded = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    var exchange: Exchange? { state.withLock { $0.exchange } }

    /// Looks whether the client, or we, took too long, and acts on it.
    func watch(now: Int, retiredAt: Int?) {
        let limits = daemon.core.vigilLimits
        let (verdict, exchange) = state.withLock { state -> (Vigil.Verdict?, Exchange?) in
            guard !state.isClosed, !state.isEnded else { return (nil, nil) }
            let verdict = state.vigil.verdict(
                now: now, limits, countsBytes: peer.port != nil, retiredAt: retiredAt,
                isAtEnd: { isAtEnd }, progress: { till_send_progress(descriptor) })
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

    private var isAtEnd: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    private func act(on verdict: Vigil.Verdict, _ state: inout State) {
        switch verdict {
        case .requestTimeout:
            state.isEnded = true
            say(CannedResponse.requestTimeout)
            shutdown(descriptor, Int32(SHUT_RDWR))
        case .close, .abort:
            state.isEnded = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        case .farewell:
            // What has arrived by now is still read and answered.
            shutdown(descriptor, Int32(SHUT_RD))
            state.vigil.leave(now: daemon.core.now)
        case .answerTimeout: state.vigil.enter(.answering, now: daemon.core.now)
        }
    }

    /// Sends a response past the library, which takes none at this point. Never within TLS.
    func say(_ response: CannedResponse) {
        guard !daemon.isSecure else { return }
        response.bytes.withUnsafeBytes { bytes in
            _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }
}
