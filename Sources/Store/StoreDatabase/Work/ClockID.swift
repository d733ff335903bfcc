/// Which clock a piece of work is due by: that of the environment, or that of one tester.
package struct ClockID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    /// The clock of the environment that the database belongs to.
    package static let environment = ClockID(number: 0)
}

extension ClockID: ColumnValue {
    package var databaseValue: DatabaseValue { .integer(number) }

    package init(databaseValue: DatabaseValue) throws {
        self.init(number: try Int64(databaseValue: databaseValue))
    }
}
