/// Everything a listener is told.
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
