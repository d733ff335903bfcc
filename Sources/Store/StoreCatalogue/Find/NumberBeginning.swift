package import StoreDatabase

/// Numbers that begin with some digits, as ids are looked for of which one has the beginning.
package struct NumberBeginning: Sendable {
    /// The numbers that begin so, by how many digits they have.
    private let ranges: [ClosedRange<Int64>]

    /// A column whose numbers are looked through by its index.
    package struct Place: Sendable {
        /// The smallest number and the greatest.
        let bounds: SQL
        /// The numbers from `$1` to `$2`, at most `$3` of them.
        let numbers: SQL

        package init(bounds: SQL, numbers: SQL) {
            self.bounds = bounds
            self.numbers = numbers
        }
    }

    /// Nil for what is not a number as ids are written.
    package init?(_ text: String) {
        guard let number = Int64(text), number > 0, text.allSatisfy(\.isNumber), !text.hasPrefix("0") else {
            return nil
        }
        var ranges = [number...number]
        while let last = ranges.last, last.upperBound <= (Int64.max - 9) / 10 {
            ranges.append(last.lowerBound * 10...last.upperBound * 10 + 9)
        }
        self.ranges = ranges
    }

    /// The first numbers of a column that begin so: the number itself, and then the shorter ones.
    package func find(_ place: Place, limit: Int, in transaction: any ReadTransaction) throws -> [Int64] {
        let bounds = try transaction.one(place.bounds) {
            (try $0.value(0, as: Int64?.self), try $0.value(1, as: Int64?.self))
        }
        guard let first = bounds.0, let last = bounds.1 else { return [] }
        var found: [Int64] = []
        for range in ranges where range.overlaps(first...last) && found.count < limit {
            found += try transaction.query(
                place.numbers, range.lowerBound, range.upperBound, limit - found.count
            ) { try $0.value(0, as: Int64.self) }
        }
        return found
    }
}
