import Foundation
import Testing

@testable import StoreModel

@Suite("The offsets of California, looked up once")
struct PacificOffsetsTests {
    @Test("They are those of the zone, to the second at every change and at any other time, in any year")
    func sameAsZone() throws {
        let zone = try #require(TimeZone(identifier: "America/Los_Angeles"))
        var seconds = Array(stride(from: Int64(-5_000_000_000), to: 8_000_000_000, by: 3_000_017))
        var at = Date(timeIntervalSince1970: 1_100_000_000)
        while let next = zone.nextDaylightSavingTimeTransition(after: at), next > at,
            next.timeIntervalSince1970 < 4_200_000_000
        {
            seconds += [-1, 0, 1].map { Int64(next.timeIntervalSince1970) + $0 }
            at = next
        }
        #expect(seconds.count > 4000)
        for second in seconds {
            let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
            #expect(PacificOffsets.shared.offset(at: second * 1000) == expected, "at \(second)")
            #expect(
                PacificOffsets.shared.offset(at: second * 1000 + 999)
                    == zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second) + 0.999)), "at \(second).999"
            )
        }
    }
}
