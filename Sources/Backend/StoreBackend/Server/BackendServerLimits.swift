/// How much the ready server takes of anything. Each limit has the name by which documentation and refusals call it.
package struct BackendServerLimits: Hashable, Sendable {
    /// Requests in a minute from one address, or one /64 of IPv6; nil for as many as come. Those from this machine count
    /// only if ``countsLocalRequests`` says so, as do those of all limits of addresses.
    package var requestsPerMinute: Int? = 600
    /// Accounts that are made, and passwords that are tried, in a minute from one address; nil for as many as come.
    package var accountsPerMinute: Int? = 20
    /// Proofs of payment in a minute from one user, wherever they come from; nil for as many as come.
    package var proofsPerMinute: Int? = 60
    /// Proofs of payment in a minute from one address that do not hold, of whatever users; nil for as many as come. It keeps
    /// one place from using up with many accounts what the store may be asked for all.
    package var refusedProofsPerMinute: Int? = 60
    /// Notifications in a minute from one address: those of a whole store come from there; nil for as many as come.
    package var notificationsPerMinute: Int? = 6000
    /// Whether requests from this machine count, too.
    package var countsLocalRequests = false
    /// A proof of payment as it is sent, in bytes: raw, or as text in JSON.
    package var proofBytes = 5 * 1024 * 1024
    /// Every other body but a notification, in bytes.
    package var messageBytes = 64 * 1024
    /// A notification of the store, in bytes.
    package var notificationBytes = 1024 * 1024

    /// The limits as they are if nobody sets others.
    package init() {}

    /// The ids of products in one report of those that the store does not know.
    package static let reportedProducts = 1...200
    /// How many may be asked for at once of what was paid for.
    package static let quantities = 1...1000
    /// Characters of the version of an app.
    package static let appVersionLength = 1...32
    /// Characters of an `Idempotency-Key`.
    package static let keyLength = 1...64
    /// Seconds after which another try is worth it, where an error does not say it.
    package static let retrySeconds = 5
}
