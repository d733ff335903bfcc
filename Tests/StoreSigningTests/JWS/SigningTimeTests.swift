import StoreModel
import Testing

@testable import StoreSigning

@Suite struct SigningTimeTests {
    private func milliseconds(_ json: String) throws -> Int64 {
        try SigningTime.read(from: Array(json.utf8)).millisecondsSinceEpoch
    }

    @Test(
        "Reads every form of number that an instant has",
        arguments: [
            ("0", 0), ("7", 7), ("1767323045000", 1_767_323_045_000), ("99999999999999", 99_999_999_999_999),
            ("253402300799999", 253_402_300_799_999), ("-1", -1), ("1767323045000.4", 1_767_323_045_000),
            ("1767323044999.6", 1_767_323_045_000), ("1.767323045e12", 1_767_323_045_000),
        ])
    func readsEveryForm(number: String, expected: Int64) throws {
        #expect(try milliseconds("{\"signedDate\":\(number)}") == expected)
    }

    @Test(
        "Refuses what is no instant",
        arguments: [
            "253402300800000", "-62135596800001", "99999999999999999999", "1e400", "\"1767323045000\"", "true", "[1]",
        ])
    func refusesWhatNo(value: String) {
        expectRefusal(.malformed, value) { try milliseconds("{\"signedDate\":\(value)}") }
    }

    @Test("Prefers the date of signing to that of the receipt, null counts as absent") func prefersDateSigning() throws
    {
        #expect(try milliseconds(#"{"receiptCreationDate":1,"signedDate":2}"#) == 2)
        #expect(try milliseconds(#"{"signedDate":null,"receiptCreationDate":1}"#) == 1)
        expectRefusal(.malformed) { try milliseconds(#"{"signedDate":null}"#) }
    }

    @Test("Only names at the top count, however they are written") func onlyNamesAt() throws {
        #expect(try milliseconds(#"{"data":{"signedDate":1},"signed\u0044ate":2}"#) == 2)
        expectRefusal(.malformed) { try milliseconds(#"{"data":{"signedDate":1}}"#) }
        expectRefusal(.malformed) { try milliseconds(#"{"signeddate":1,"signedDate ":1}"#) }
    }

    @Test(
        "Two dates of one name are refused, for another reader may believe the other",
        arguments: [
            #"{"signedDate":1,"signedDate":2}"#, #"{"signedDate":1,"signed\u0044ate":2}"#,
            #"{"receiptCreationDate":1,"receiptCreationDate":1}"#,
        ])
    func twoDatesOne(payload: String) {
        expectRefusal(.malformed, payload) { try milliseconds(payload) }
    }
}
