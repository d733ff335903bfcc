import Foundation
import StoreModel
import Testing

@testable import StoreServer

@Suite("The JSON of verifyReceipt is written within bounds")
struct AnswerWriterTests {
    /// The longest name of an answer.
    private static let name: StaticString = "version_external_identifier"

    @Test(
        "The longest numbers and dates fit in what is reserved for them",
        arguments: [Int64.min, -1, 0, 9, 10, Instant.earliest.millisecondsSinceEpoch, .max])
    func extremes(number: Int64) throws {
        let instant = Instant(millisecondsSinceEpoch: number)
        var writer = AnswerWriter(reserving: 0)
        writer.object { writer in
            writer.number("number", number)
            writer.array("list") { writer in
                for _ in 0..<3 {
                    writer.object {
                        $0.quoted(Self.name, number)
                        $0.dates(Self.name, instant)
                    }
                }
            }
            writer.text("text", "\"\(number)\"\n")
            writer.flag("flag", number < 0)
        }
        let json = try #require(try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
        #expect((json["number"] as? NSNumber)?.int64Value == number)
        #expect(json["text"] as? String == "\"\(number)\"\n")
        #expect(json["flag"] as? Bool == (number < 0))
        let list = try #require(json["list"] as? [[String: String]])
        #expect(
            list
                == Array(
                    repeating: [
                        "\(Self.name)": instant.gmtText, "\(Self.name)_ms": "\(number)",
                        "\(Self.name)_pst": instant.pacificText,
                    ], count: 3))
    }
}
