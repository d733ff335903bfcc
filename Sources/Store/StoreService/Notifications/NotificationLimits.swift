package import StoreModel
package import StoreRules

/// The limits of what developers' servers are sent.
package enum NotificationLimits {
    /// The address of a developer's server.
    package static let urlBytes = 2000
    /// How long an attempt takes at most, from the look-up of the name to the end of the answer.
    package static let timeout = Duration.seconds(10)
    /// How much of an answer is waited for; what follows is not read.
    package static let answerBytes = 64 * 1024
    /// How much of an answer, or of the reason why there is none, is kept.
    package static let excerptBytes = 500
    /// After this time an attempt is slow, and gives its place to others. It may take up to twice as long to be noticed.
    package static let patience = Duration.milliseconds(500)
    /// How many attempts there are at once, of one server of an environment.
    package static let attempts = DeliveryPlan<AppID>.Limits(
        quick: 64, new: 64, slow: 384, doubtful: 64, perReceiver: 32, perSlowReceiver: 4)
    /// The same where the process may have few files open.
    package static let fewAttempts = DeliveryPlan<AppID>.Limits(
        quick: 16, new: 8, slow: 32, doubtful: 8, perReceiver: 8, perSlowReceiver: 2)
    /// How long other servers stay away from what one has in hand, by the wall clock: until it was certainly killed.
    static let lease = Duration.seconds(60)
    /// How often a sender looks by itself: for what a server that was killed had in hand, and for signals that were lost.
    static let longestPause = Duration.seconds(5)
    /// How long attempts on their way have when the store is stopped.
    static let lastPause = Duration.seconds(2)
    /// How long a notification waits at least that a fault lets go out after the next of its stream.
    static let reordering = Duration.seconds(1)
    /// How many notifications are removed, or given up, in one statement.
    static let page = 200
}
