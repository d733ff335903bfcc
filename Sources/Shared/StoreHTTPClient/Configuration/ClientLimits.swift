/// The limits of a client: every one has a name and a number.
package struct ClientLimits: Sendable {
    /// Open connections, to all hosts together; further requests wait for one.
    package var connections = 64
    /// Open connections to one host.
    package var connectionsPerHost = 8
    /// Connections kept open for later requests.
    package var idleConnections = 16
    /// Seconds after which an unused connection is not used again.
    package var idleConnectionSeconds = 60
    /// Requests on their way or waiting; more are refused at once.
    package var queuedRequests = 1024
    /// The header of a response with all interim responses before it and trailers behind it, in bytes.
    package var fieldBytes = 64 * 1024
    /// Fields of one response.
    package var fields = 200
    /// A body that is collected, in bytes, after decompression.
    package var collectedBodyBytes = 8 * 1024 * 1024
    /// What of a streamed body may wait for its reader, in bytes.
    package var streamedBytes = 256 * 1024
    /// Redirections of one request, where it asks to follow them.
    package var redirections = 5

    package init() {}
}
