import StoreModel
import Testing

@Suite("Links that begin purchases")
struct PurchaseIntentLinkTests {
    @Test(
        "P41: the documented form is read, with either name of the bundle id and with escapes",
        arguments: [
            "itms-services://?action=purchaseIntent&bundleId=com.example.app&productIdentifier=com.example.coins",
            "ITMS-SERVICES:///?productIdentifier=com.example.coins&bundleIdentifier=com.example.app&action=purchaseIntent#x",
            "itms-services:?action=purchaseIntent&bundleId=com%2Eexample.app&productIdentifier=com.example.coins&ct=a",
        ])
    func read(text: String) throws {
        let link = try PurchaseIntentLink(parsing: text)
        #expect(link.bundleID.text == "com.example.app" && link.productID.text == "com.example.coins")
        #expect(
            "\(link)"
                == "itms-services://?action=purchaseIntent&bundleId=com.example.app&productIdentifier=com.example.coins"
        )
        #expect(try PurchaseIntentLink(parsing: "\(link)") == link)
    }

    @Test(
        "P41: what is no such link is refused with what is wrong",
        arguments: [
            ("", "purchase link"), ("https://?action=purchaseIntent", "purchase link"),
            ("itms-services://?action=download-manifest&url=https://example.com", "purchase link"),
            ("itms-services://?action=purchaseIntent&bundleId=com.example.app", "purchase link"),
            ("itms-services://?action=purchaseIntent&bundleId=a b&productIdentifier=coins", "bundle id"),
            ("itms-services://?action=purchaseIntent&bundleId=a.b&productIdentifier=../../coins", "product id"),
            (
                "itms-services://?action=purchaseIntent&bundleId=a.b&productIdentifier="
                    + String(repeating: "a", count: 3000), "purchase link"
            ),
        ])
    func refused(text: String, subject: String) {
        let error = #expect(throws: InvalidValue.self) { try PurchaseIntentLink(parsing: text) }
        #expect(error?.subject == subject)
    }
}
