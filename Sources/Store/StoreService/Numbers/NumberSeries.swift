/// What is counted in a database, each series by itself.
package struct NumberSeries: Hashable, Sendable {
    let name: String
    /// The first number of the series.
    let first: Int64
    /// How many numbers are reserved at once. What a process reserved and did not use before it ended is left out.
    let block: Int64

    package init(_ name: StaticString, from first: Int64 = 1, block: Int64 = 100) {
        self.name = name.description
        self.first = first
        self.block = block
    }
}
