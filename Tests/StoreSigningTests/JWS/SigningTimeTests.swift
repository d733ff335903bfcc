import StoreModel
import Testing

@testable import StoreSigning

@Suite struct SigningTimeTests {
    private func milliseconds(_ json: String) throws -> Int64 {
        try SigningTime.read(from: Array(json.utf8)).millisecondsSinceEpoch
    }

    @Test(arguments: [
        ("0", 0), ("7", 7), ("1767323045000", 1_767_323_045_000), ("99999999999999", 99_999_999_999_999),
        ("253402300799999", 253_402_300_799_999), ("-1", -1), ("1767323045000.4", 1_767_323_045_000),
        ("1767323044999.6", 1_767_323_045_000), ("1.767323045e12", 1_767_323_045_000),
    ])
    func `Reads every form of number that an instant has`(number: String, expected: Int64) throws {
        #expect(try milliseconds("{\"signedDate\":\(number)}") == expected)
    }

    @Test(arguments: [
        "253402300800000", "-62135596800001", "99999999999999999999", "1e400", "\"1767323045000\"", "true", "[1]",
    ])
    func `Refuses what is no instant`(value: String) {
        expectRefusal(.malformed, value) { try milliseconds("{\"signedDate\":\(value)}") }
    }

    @Test func `Prefers the date of signing to that of the receipt, null counts as absent`() throws {
        #expect(try milliseconds(#"{"receiptCreationDate":1,"signedDate":2}"#) == 2)
        #expect(try milliseconds(#"{"signedDate":null,"receiptCreationDate":1}"#) == 1)
        expectRefusal(.malformed) { try milliseconds(#"{"signedDate":null}"#) }
    }

    @Test func `Only names at the top count, however they are written`() throws {
        #expect(try milliseconds(#"{"data":{"signedDate":1},"signed\u0044ate":2}"#) == 2)
        expectRefusal(.malformed) { try milliseconds(#"{"data":{"signedDate":1}}"#) }
        expectRefusal(.malformed) { try milliseconds(#"{"signeddate":1,"signedDate ":1}"#) }
    }

    @Test(arguments: [
        #"{"signedDate":1,"signedDate":2}"#, #"{"signedDate":1,"signed\u0044ate":2}"#,
        #"{"receiptCreationDate":1,"receiptCreationDate":1}"#,
    ])
    func `Two dates of one name are refused, for another reader may believe the other`(payload: String) {
        expectRefusal(.malformed, payload) { try milliseconds(payload) }
    }
}
