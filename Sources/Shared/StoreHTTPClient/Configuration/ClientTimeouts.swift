/// How long a request may take.
package struct ClientTimeouts: Hashable, Sendable {
    /// Until the connection stands: name, address, proxy, TLS.
    package var connect: Duration
    /// How long nothing may come or go, in whole seconds: also while whoever makes the body of the request takes their time,
    /// but not while the reader of a response holds it back.
    package var idle: Duration
    /// From beginning to end, waiting for a connection included; nil for no limit.
    package var total: Duration?

    package init(connect: Duration = .seconds(10), idle: Duration = .seconds(30), total: Duration? = .seconds(60)) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

extension Duration {
    /// At least one millisecond, at most what fits: nought means no limit to libcurl.
    var curlMilliseconds: Int {
        let (seconds, fraction) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int(fraction / 1_000_000_000_000_000))
    }

    /// At least one second, rounded up.
    var curlSeconds: Int { (curlMilliseconds + 999) / 1000 }
}
