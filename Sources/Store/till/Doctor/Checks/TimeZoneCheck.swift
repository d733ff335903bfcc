import Foundation

/// Does the system know the clock changes of the Pacific, in which receipts tell some of their dates?
struct TimeZoneCheck {
    /// Finds a time zone by name, as the system does.
    let zone: (String) -> TimeZone?

    /// An instant in seconds, and by how many hours the Pacific is behind then.
    private static let known: [(seconds: Double, hours: Int)] = [
        (1_704_067_200, 8),  // 2024-01-01
        (1_720_000_000, 7),  // 2024-07-03
        (1_710_064_799, 8),  // the last second before the change of 2024-03-10
        (1_710_064_800, 7),
        (1_730_624_399, 7),  // the last second before the change of 2024-11-03
        (1_730_624_400, 8),
    ]

    func findings() -> [Finding] {
        let name = "America/Los_Angeles"
        let remedy = "install the package tzdata"
        guard let zone = zone(name) else {
            return [.problem("time zones", "the system does not know \(name)", remedy: remedy)]
        }
        let isRight = Self.known.allSatisfy { known in
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: known.seconds)) == -known.hours * 3600
        }
        return isRight
            ? [.ok("time zones", "the system knows the clock changes of \(name)")]
            : [.problem("time zones", "the system is wrong about the clock changes of \(name)", remedy: remedy)]
    }
}
