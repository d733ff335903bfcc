/// What came out for one row.
struct RowResult: Encodable {
    let name: String
    let summary: String
    let reference: String
    let threshold: Double
    /// Operations per second, the median of all rounds.
    var oursPerSecond: Double?
    var referencePerSecond: Double?
    /// The median of the rounds' ratios, and how far they lie apart.
    var ratio: Double?
    var smallestRatio: Double?
    var largestRatio: Double?
    var rounds = 0
    /// The shares of transactions that ran again, where the database counts them.
    var oursConflicts: Double?
    var referenceConflicts: Double?
    /// Why there are no figures.
    var failure: String?
    let passed: Bool

    init(_ row: any BenchmarkRow, rounds: [Round], threshold: Double) {
        let ratios = rounds.map(\.ratio)
        let ratio = ratios.median
        name = row.name
        summary = row.summary
        reference = row.reference
        self.threshold = threshold
        oursPerSecond = rounds.map(\.ours.perSecond).median
        referencePerSecond = rounds.map(\.reference.perSecond).median
        self.ratio = ratio
        smallestRatio = ratios.min()
        largestRatio = ratios.max()
        self.rounds = rounds.count
        oursConflicts = rounds.compactMap(\.ours.conflicts).median
        referenceConflicts = rounds.compactMap(\.reference.conflicts).median
        passed = ratio.map { $0 >= threshold } ?? false
    }

    /// A row that could not be measured has not met its threshold.
    init(_ row: any BenchmarkRow, failure: any Error, threshold: Double) {
        name = row.name
        summary = row.summary
        reference = row.reference
        self.threshold = threshold
        self.failure = "\(failure)"
        passed = false
    }
}

extension [Double] {
    /// The middle value, or the mean of the two in the middle; nil if there are none.
    fileprivate var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
