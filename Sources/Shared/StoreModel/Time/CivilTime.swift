/// A date and a time of day as a wall calendar and a clock show them, without saying where.
package struct CivilTime: Hashable, Sendable {
    /// The year, 1 to 9999 wherever it has a text form.
    package var year: Int
    /// The month, 1 to 12.
    package var month: Int
    /// The day of the month, from 1.
    package var day: Int
    /// The hour, 0 to 23.
    package var hour: Int
    /// The minute, 0 to 59.
    package var minute: Int
    /// The second, 0 to 59: there are no leap seconds in epoch time.
    package var second: Int
    /// The millisecond, 0 to 999.
    package var millisecond: Int

    /// A time by its parts, midnight unless told otherwise.
    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }
}
