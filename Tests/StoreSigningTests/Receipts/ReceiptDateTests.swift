import StoreModel
import Testing

@testable import StoreSigning

@Suite struct ReceiptDateTests {
    private func read(_ text: String) throws -> Instant? {
        let bytes = DER.ia5String(text)
        var cursor = BERCursor(bytes)
        return try ReceiptDate.read(cursor.next(in: bytes), in: bytes, "a date")
    }

    @Test(
        "Reads dates as the model does",
        arguments: [
            "2025-12-26T18:39:47Z", "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
            "2024-02-29T12:00:00Z", "2000-02-29T00:00:00Z", "2026-12-26T18:39:47.250Z", "2025-12-26T18:39:47+02:00",
        ])
    func readsDatesModel(text: String) throws {
        #expect(try read(text) == Instant(rfc3339: text))
    }

    @Test("An empty text is no date") func emptyTextNo() throws {
        #expect(try read("") == nil)
    }

    @Test(
        "Refuses what is no date",
        arguments: [
            "2025-12-26 18:39:47Z", "2025-12-26T18:39:47z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-01-00T00:00:00Z", "2025-01-32T00:00:00Z",
            "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:60Z", "0000-01-01T00:00:00Z",
            "2025-1 -01T00:00:00Z", "+025-01-01T00:00:00Z", "2025-01-01T00:00:0/Z", "2025-01-01T00:00:0:Z", "yesterday",
        ])
    func refusesWhatNo(text: String) {
        expectRefusal(.malformed, text) { try read(text) }
    }

    @Test("A wrong byte is found wherever it stands") func wrongByteFound() throws {
        let text = Array("2025-12-26T18:39:47Z".utf8)
        for place in text.indices {
            for other: UInt8 in [0x00, 0x20, 0x2F, 0x3A, 0x41, 0xFF] where other != text[place] {
                var damaged = text
                damaged[place] = other
                let bytes = DER.value(.ia5String, damaged)
                var cursor = BERCursor(bytes)
                let element = try cursor.next(in: bytes)
                expectRefusal(.malformed, "\(other) at \(place)") { try ReceiptDate.read(element, in: bytes, "a date") }
            }
        }
    }
}
