import CommandOptions
import Foundation
import StoreModel
import StoreService

/// The options that decide the policy of a store. One more is a line in ``settings`` and a property of ``StorePolicy``.
enum PolicyOptions {
    static let all = settings.map(\.option)

    /// The policy that some options decide; what a command does not declare is as the standard has it.
    static func policy(_ arguments: ParsedArguments) -> StorePolicy {
        settings.reduce(into: StorePolicy()) { policy, setting in setting.read(arguments, &policy) }
    }

    private static let settings = [
        Setting(\.commission, commission),
        duration(
            "keep-unconfirmed", \.retention.unconfirmedPurchases,
            "Purchases that ended without a yes are removed after this time."),
        duration(
            "keep-idle-devices", \.retention.idleDevices,
            "Devices on which nobody ever signed in are removed after this time without a registration."),
        duration(
            "keep-events", \.retention.events,
            "What devices are told is removed after this time. One that was away for longer reads all transactions again."
        ),
        duration(
            "keep-notifications", \.retention.notifications,
            "What servers of developers are told by production is removed after this time, with the attempts."),
        duration(
            "keep-sandbox-notifications", \.sandboxNotifications,
            "What servers of developers are told by the sandbox is removed after this time."),
        Setting(\.allowsPrivateNotifications, privateNotifications),
        duration(
            "patience", \.patience,
            "How long a device has its unfinished consumables for itself after it was last heard of; then others get them."
        ),
        duration(
            "propagation", \.propagation, allowsNone: true,
            "How long a product that comes onto the shelves takes to reach customers."),
    ]

    /// An option, and the part of the policy that it decides.
    private struct Setting: Sendable {
        let option: any OptionDeclaration
        let read: @Sendable (ParsedArguments, inout StorePolicy) -> Void

        init<Value: Sendable>(_ part: any WritableKeyPath<StorePolicy, Value> & Sendable, _ option: Option<Value>) {
            self.option = option
            read = { arguments, policy in
                if arguments.declares(option) { policy[keyPath: part] = arguments[option] }
            }
        }
    }

    private static func duration(
        _ name: String, _ part: any WritableKeyPath<StorePolicy, Duration> & Sendable, allowsNone: Bool = false,
        _ help: String
    ) -> Setting {
        let variable = "TILL_" + name.uppercased().replacing("-", with: "_")
        return Setting(
            part,
            .defaulted(
                name, .duration(allowsNone: allowsNone), to: StorePolicy.standard[keyPath: part],
                environment: variable, help: help))
    }

    static let privateNotifications = Option<Bool>.flag(
        "private-notifications", environment: "TILL_PRIVATE_NOTIFICATIONS",
        help:
            "Send notifications to servers in private networks and on this machine too, also by http. Without it only a "
            + "sandbox does that which listens on loopback and has no public URL but this machine's.")

    static let commission = Option<Proportion>.defaulted(
        "commission",
        percent,
        to: StorePolicy.standard.commission, environment: "TILL_COMMISSION",
        help: "What the store keeps of every price. It holds for sales from now on.")

    static let percent = ValueFormat<Proportion>(
        "PERCENT", rule: "a percentage from 0 to 100 with at most three digits after the point, such as 15 or 2.5",
        describe: { percentage($0) }, parse: { Proportion(percent: $0) })

    private static func percentage(_ proportion: Proportion) -> String {
        let thousandths = proportion.percentMilliunits ?? 0
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(thousandths / 1000).\(digits)"
    }
}
