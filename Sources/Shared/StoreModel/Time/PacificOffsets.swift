import Foundation

/// How far the clocks of California are from those of Greenwich. Receipts show it for every date, and asking the rules of
/// the zone takes longer than all else about a date, so that they are asked once for all years of this business.
struct PacificOffsets: Sendable {
    private let zone: TimeZone
    /// When the offset changes, in seconds since 1970, and to what; rising, without gaps from the first to the end.
    private let changes: [(at: Int64, offset: Int)]
    /// The end of what ``changes`` tell.
    private let end: Int64

    /// California, whose time the `_pst` fields of receipts show.
    ///
    /// Safe: Foundation carries the zone rules inside, and every release of them has this zone.
    static let shared = PacificOffsets(zone: TimeZone(identifier: "America/Los_Angeles")!)

    init(zone: TimeZone) {
        self.zone = zone
        var at = Self.first
        var changes = [(Int64(at.timeIntervalSince1970), zone.secondsFromGMT(for: at))]
        while let next = zone.nextDaylightSavingTimeTransition(after: at), next > at, next < Self.last {
            changes.append((Int64(next.timeIntervalSince1970), zone.secondsFromGMT(for: next)))
            at = next
        }
        self.changes = changes
        end = Int64(Self.last.timeIntervalSince1970)
    }

    /// 2008, when the App Store opened and the rules of today were a year old.
    private static let first = Date(timeIntervalSince1970: 1_199_145_600)
    /// 2100
    private static let last = Date(timeIntervalSince1970: 4_102_444_800)

    /// Seconds to add to GMT.
    func offset(at milliseconds: Int64) -> Int {
        let seconds = milliseconds.quotientAndRemainder(dividingBy: 1000).quotient
        guard let first = changes.first, milliseconds >= first.at * 1000, seconds < end else {
            return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
        }
        var (low, high) = (0, changes.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if changes[middle].at <= seconds { low = middle } else { high = middle }
        }
        return changes[low].offset
    }
}
