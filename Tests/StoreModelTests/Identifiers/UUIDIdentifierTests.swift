import Foundation
import StoreModel
import TestSupport
import Testing

@Suite("Identifiers that are UUIDs")
struct UUIDIdentifierTests {
    @Test("UUIDs are read in either case and written in lower case")
    func lowerCase() throws {
        let token = try AppAccountToken(parsing: "7E3FB20B-4CDB-47CC-936D-99D65F608138")
        #expect(token.description == "7e3fb20b-4cdb-47cc-936d-99d65f608138")
        #expect(try AppAccountToken(parsing: token.description) == token)
        #expect(try jsonText([token]) == "[\"7e3fb20b-4cdb-47cc-936d-99d65f608138\"]")
    }

    @Test("The text of random UUIDs is Foundation's in lower case")
    func agreesWithFoundation() throws {
        var generator = RandomizedRun.generator(named: "uuids")
        for _ in 0..<RandomizedRun.cases(500) {
            let bytes = generator.bytes(16)
            let uuid = UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                    bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                ))
            let key = PurchaseKey(uuid)
            #expect(key.description == uuid.uuidString.lowercased())
            #expect(try PurchaseKey(parsing: key.description).uuid == uuid)
        }
    }

    @Test(
        "Other forms are refused",
        arguments: [
            "", "7e3fb20b4cdb47cc936d99d65f608138", "{7e3fb20b-4cdb-47cc-936d-99d65f608138}",
            "7e3fb20b-4cdb-47cc-936d-99d65f60813",
            "7e3fb20b-4cdb-47cc-936d-99d65f60813g", " 7e3fb20b-4cdb-47cc-936d-99d65f608138",
            "7e3fb20b-4cdb-47cc-936d-99d65f608138 ",
            "7e3fb20b-4cdb-47cc-936d_99d65f608138", "7e3fb20b4-cdb-47cc-936d-99d65f608138",
        ])
    func malformed(text: String) {
        #expect(throws: InvalidValue.self) { try NotificationID(parsing: text) }
        #expect(DeviceVerificationNonce(text) == nil)
    }
}
