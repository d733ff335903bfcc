public import Foundation
import StoreModel
import StoreRules
import StoreService

extension SKTestSession {
    /// How fast subscriptions renew in a test, in relation to the time on the wall.
    ///
    /// The rates that make a day shorter and those that are named by a month shorten everything alike: a month has thirty days
    /// and a year twelve months. With the rates that are named by a renewal every period lasts the same, however long it is.
    // Closed: these are the cases that Apple's platforms have.
    public enum TimeRate: Int, CaseIterable, Sendable {
        /// Periods last as long as the calendar says.
        case realTime = 0
        /// An hour stands for a day.
        case oneHourIsOneDay = 1
        /// Half an hour stands for a day.
        case thirtyMinutesIsOneDay = 2
        /// Five minutes stand for a day.
        case fiveMinutesIsOneDay = 3
        /// A minute stands for a day.
        case oneMinuteIsOneDay = 4
        /// Half a minute stands for a day.
        case thirtySecondsIsOneDay = 5
        /// A second stands for a day.
        case oneSecondIsOneDay = 6
        /// A monthly subscription renews every hour.
        case monthlyRenewalEveryHour = 10
        /// A monthly subscription renews every thirty minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A monthly subscription renews every fifteen minutes.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A monthly subscription renews every five minutes.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A monthly subscription renews every thirty seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every subscription renews every fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every subscription renews every five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every subscription renews every minute.
        case oneRenewalEveryMinute = 1002
        /// Every subscription renews every thirty seconds.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every subscription renews every ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every subscription renews every two seconds.
        case oneRenewalEveryTwoSeconds = 1005

        /// How long periods last by it.
        var scale: PeriodScale {
            let (second, minute): (Int64, Int64) = (1000, 60_000)
            return switch self {
            case .realTime: .calendar
            case .oneHourIsOneDay: .day(lasts: 60 * minute)
            case .thirtyMinutesIsOneDay: .day(lasts: 30 * minute)
            case .fiveMinutesIsOneDay: .day(lasts: 5 * minute)
            case .oneMinuteIsOneDay: .day(lasts: minute)
            case .thirtySecondsIsOneDay: .day(lasts: 30 * second)
            case .oneSecondIsOneDay: .day(lasts: second)
            case .monthlyRenewalEveryHour: .day(lasts: 2 * minute)
            case .monthlyRenewalEveryThirtyMinutes: .day(lasts: minute)
            case .monthlyRenewalEveryFifteenMinutes: .day(lasts: 30 * second)
            case .monthlyRenewalEveryFiveMinutes: .day(lasts: 10 * second)
            case .monthlyRenewalEveryThirtySeconds: .day(lasts: second)
            case .oneRenewalEveryFifteenMinutes: .period(lasts: 15 * minute)
            case .oneRenewalEveryFiveMinutes: .period(lasts: 5 * minute)
            case .oneRenewalEveryMinute: .period(lasts: minute)
            case .oneRenewalEveryThirtySeconds: .period(lasts: 30 * second)
            case .oneRenewalEveryTenSeconds: .period(lasts: 10 * second)
            case .oneRenewalEveryTwoSeconds: .period(lasts: 2 * second)
            }
        }
    }

    /// How long the periods of subscriptions last; at first as the configuration has it, else as in the calendar.
    ///
    /// The store renews by itself while time goes by. A subscription that runs keeps the period it is in; the next one is of
    /// the new length.
    public var timeRate: TimeRate {
        get { values.current.timeRate }
        set {
            values.change { $0.timeRate = newValue }
            report { try await $0.store.setPeriodScale(newValue.scale) }
        }
    }

    /// Lets the time of the store go by at once, and returns when everything that became due by that has been done: renewals,
    /// attempts to charge, ends. Not known on Apple's platforms, where tests wait.
    ///
    /// The time of the store stays ahead of that on the wall by as much.
    public func advance(by duration: Duration) throws {
        guard duration >= .zero else {
            throw SKTestError(.invalidAction, "Time does not go back: the duration is \(duration).")
        }
        try settle { try await $0.store.advance(by: duration) }
    }

    /// Lets the time of the store become a later one at once, and returns when everything that became due by that has been
    /// done. Not known on Apple's platforms.
    ///
    /// Time does not go back: for an earlier date this throws ``SKTestError/invalidAction``. ``snapshot()`` leads back.
    public func advance(to date: Date) throws {
        guard let goal = Instant(date: date) else {
            throw SKTestError(.invalidAction, "No clock shows \(date).")
        }
        try settle { try await $0.store.advance(to: goal) }
    }

    /// The time of the store. Not known on Apple's platforms.
    public var currentDate: Date { parts.scene.store.store.clocks.commerce().date }
}
