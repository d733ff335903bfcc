package import StoreModel
package import StoreRules

/// What the owner of a store decides about how it works. `till serve` reads it once from its options, and every
/// ``EnvironmentStore`` carries it.
package struct StorePolicy: Sendable {
    /// What the store keeps of a price.
    package var commission = standardCommission
    package var retention = Retention.standard
    /// How long notifications of the sandbox are kept; those of production are as the retention has it.
    package var sandboxNotifications = Retention.sandboxNotifications
    /// Whether developers' servers may be in private networks and on this machine, in both environments.
    package var allowsPrivateNotifications = false
    /// Whether only this machine reaches the sandbox, which then reaches what is private too.
    package var hasLocalSandbox = false
    /// How long a device has its unfinished consumables for itself, counted from when it was last seen.
    package var patience = Duration.seconds(10 * 60)
    /// How long a change of the catalogue takes to reach customers.
    package var propagation = Duration.zero
    /// How subscriptions of the sandbox live whose customer has no rate of renewals. Those of production go by the calendar.
    package var sandboxSubscriptions = SubscriptionTerms(
        scale: RenewalRate.fiveMinutes.scale ?? .calendar, renewalLimit: SubscriptionTerms.sandboxRenewals)

    package init() {}

    /// What holds where the owner decides nothing.
    package static let standard = StorePolicy()

    /// The standard, but that subscriptions of the sandbox go by the calendar too: for stores whose clock somebody moves.
    package static let byTheCalendar = {
        var policy = StorePolicy()
        policy.sandboxSubscriptions = SubscriptionTerms(scale: .calendar)
        return policy
    }()

    // Safe: 30 000 thousandths of a percent are between 0 and 100 percent.
    private static let standardCommission = try! Proportion(percentMilliunits: 30_000)

    /// Whether notifications of an environment are sent to private addresses, and to this machine.
    package func reachesPrivateAddresses(in environment: StoreEnvironment) -> Bool {
        allowsPrivateNotifications || environment == .sandbox && hasLocalSandbox
    }

    /// How long what an environment does not keep for ever is kept.
    package func retention(in environment: StoreEnvironment) -> Retention {
        var retention = retention
        if environment == .sandbox { retention.notifications = sandboxNotifications }
        return retention
    }

    /// How subscriptions of an environment live whose customer has no rate of renewals.
    package func subscriptions(in environment: StoreEnvironment) -> SubscriptionTerms {
        environment == .sandbox ? sandboxSubscriptions : SubscriptionTerms(scale: .calendar)
    }
}
