import Foundation
import StoreHTTP

/// The configuration of a listener.
package struct ListenerConfiguration: Hashable, Sendable {
    package var endpoint: ListenerEndpoint
    /// Speaks TLS if there is a certificate.
    package var tls: TLSFiles?
    package var limits = ListenerLimits()
    /// Threads that serve connections, each its share of them.
    package var threads: Int

    package init(_ endpoint: ListenerEndpoint, tls: TLSFiles? = nil, threads: Int = 2) {
        self.endpoint = endpoint
        self.tls = tls
        self.threads = threads
    }
}

/// Where a listener is reached.
package struct ListenerEndpoint: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case tcp(host: String, port: Int)
        case unix(path: String, mode: UInt32)
    }

    let kind: Kind

    /// A numeric address and a port; for port 0 the system chooses a free one, see ``HTTPListener/endpoint``.
    package static func tcp(_ host: String = "127.0.0.1", port: Int) -> ListenerEndpoint {
        ListenerEndpoint(kind: .tcp(host: host, port: port))
    }

    /// A socket in the file system, which clients may use if its mode lets them write.
    package static func unix(_ path: String, mode: UInt32 = 0o600) -> ListenerEndpoint {
        ListenerEndpoint(kind: .unix(path: path, mode: mode))
    }

    /// The port, if it has one.
    package var port: Int? { if case .tcp(_, let port) = kind { port } else { nil } }
}

extension ListenerEndpoint: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): path
        }
    }
}

/// The limits of a listener's requests and connections, and its time limits.
package struct ListenerLimits: Hashable, Sendable {
    /// The first line and the fields of a request, in bytes; more is answered with 431, a longer target with 414.
    package var headBytes = 12 * 1024
    /// The memory of a connection for a head, its fields, and the head of the response. It is cleared for each request,
    /// and is all that an idle connection holds besides its socket.
    var connectionBytes: Int { 2 * headBytes }
    /// How much of a refused body is still read, because most clients send all of it before they read the answer;
    /// beyond it the connection is closed.
    package var discardedBytes = 16 * 1024 * 1024
    /// Connections at once; a further one is answered with 503.
    package var connections = 20_000
    /// Connections at once from one address, or one /64 of IPv6; a further one is answered with 503. nil behind a
    /// proxy, whose address they all have.
    package var connectionsPerAddress: Int?
    /// Connections beyond a limit that may wait for the answer which says so; others are closed at once.
    static let surplusConnections = 32
    /// Connections that wait to be accepted.
    package var backlog = 1024
    /// Requests whose handlers are at work at once; a further one is answered with 503.
    package var suspendedRequests = 20_000

    /// Until the head of a connection's first request is there, and from the first line to the last field of any.
    package var headTime = Duration.seconds(10)
    /// Between the end of a response and the first line of the next request.
    package var idleTime = Duration.seconds(75)
    /// The time that a body may take in any case. It may take longer at ``bodyRate``.
    package var bodyTime = Duration.seconds(15)
    /// Bytes in a second that a body has to bring beyond ``bodyTime``.
    package var bodyRate = 1024
    /// The longest that a body may take, however fast it comes. One that goes to its handler as it arrives has
    /// ``streamTime``.
    package var longestBodyTime = Duration.seconds(120)
    package var streamTime = Duration.seconds(3600)
    /// Until a handler that is not done is cancelled and its request answered with 503.
    package var answerTime = Duration.seconds(60)
    /// The period over which a client must receive ``sendRate`` bytes a second.
    package var stallTime = Duration.seconds(15)
    /// Bytes in a second that a client has to take.
    package var sendRate = 256
    /// How long an idle connection of a listener that stops is kept for a request that may be under way.
    package var farewellTime = Duration.seconds(1)

    /// How long a handler may wait for events before it answers without any. A transport does not notice that a waiting
    /// client has gone, so the wait must end.
    package static let longPoll = Duration.seconds(25)

    package init() {}

    /// The shortest time limit decides how often the watchdog runs.
    var tick: Duration {
        let shortest = [headTime, idleTime, bodyTime, answerTime, stallTime, farewellTime].min() ?? headTime
        return max(.milliseconds(10), min(.milliseconds(500), shortest / 4))
    }

    /// The longest time that one run of the watchdog counts. A process or machine that was stopped did not have more
    /// time, however late it is.
    static let longestAbsence = Duration.seconds(2)

    /// The ticks that count, of those that have passed since the last run.
    func counted(_ ticks: UInt64) -> Int { Int(min(ticks, UInt64(max(2, self.ticks(Self.longestAbsence))))) }

    func ticks(_ time: Duration) -> Int { Int((time / tick).rounded(.up)) }
}

/// The certificate chain and the key of a listener, as files in PEM.
package struct TLSFiles: Hashable, Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// TLS 1.2 and newer, with forward secrecy.
    static let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-AES-128-CBC:-AES-256-CBC"

    func read() throws(ListenerError) -> (certificate: String, key: String) {
        try requireClosedKey()
        return (try Self.text(certificate), try Self.text(key))
    }

    /// Throws if everybody may read the key, or others than its owner write it. A group may read it: that is how Debian shares
    /// keys with servers.
    private func requireClosedKey() throws(ListenerError) {
        var status = stat()
        guard stat(key, &status) == 0, status.st_mode & 0o027 != 0 else { return }
        let mode = String(status.st_mode & 0o777, radix: 8)
        throw ListenerError(
            .identityUnreadable, "\(key) is open to others (mode \(mode)); close it with: chmod 640 \(key)")
    }

    private static func text(_ path: String) throws(ListenerError) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ListenerError(
                .identityUnreadable, "\(path) cannot be read; it must be a PEM file this user may read.")
        }
        return text
    }
}
