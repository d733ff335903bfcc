import StoreModel
import Testing

@Suite("What provisioning profiles are made of")
struct ProvisioningTests {
    @Test(
        "A pattern is a bundle id, or one with a star at its end",
        arguments: ["com.example.app", "com.example.*", "*", "a.*"])
    func patterns(text: String) throws {
        let pattern = try BundlePattern(parsing: text)
        #expect(pattern.description == text)
        #expect(pattern.isWildcard == text.hasSuffix("*"))
        #expect(pattern.bundleID?.text == (text.hasSuffix("*") ? nil : text))
    }

    @Test(
        "Stars stand nowhere else",
        arguments: ["", "com.*.app", "*.app", "com.example*", "com..*", ".*", "**", "com.*.*"])
    func badPatterns(text: String) {
        #expect(throws: InvalidValue.self) { try BundlePattern(parsing: text) }
    }

    @Test(
        "A pattern is for the apps whose ids begin so, part by part",
        arguments: [
            ("com.example.app", "com.example.app", true), ("com.example.app", "com.example.app2", false),
            ("com.example.*", "com.example.app", true), ("com.example.*", "com.example.app.more", true),
            ("com.example.*", "com.examples.app", false), ("com.example.*", "com.example", false),
            ("*", "com.example.app", true),
        ])
    func matches(pattern: String, id: String, isMatch: Bool) throws {
        #expect(try BundlePattern(parsing: pattern).matches(BundleID(parsing: id)) == isMatch)
    }

    @Test(
        "An address that never leaves the machine, or is encrypted, is private",
        arguments: [
            ("https://store.example.com", true), ("https://10.0.0.1:8443", true), ("http://localhost:8080", true),
            ("http://127.0.0.1:8080", true), ("http://127.9.9.9", true), ("http://[::1]:8080", true),
            ("http://store.example.com", false), ("http://127.0.0.1.example.com", false),
            ("http://localhost.example.com", false), ("http://127.example.com", false), ("http://10.0.0.1", false),
            ("http://127.0.0.256", false), ("http://127.0.0", false),
        ])
    func addresses(text: String, isPrivate: Bool) throws {
        #expect(try StoreAddress(parsing: text).isPrivate == isPrivate)
    }

    @Test("A slash at the end is no path")
    func slash() throws {
        #expect(try StoreAddress(parsing: "https://store.example.com/").description == "https://store.example.com")
    }

    @Test(
        "An address has no path, query, user or other scheme",
        arguments: [
            "", "store.example.com", "ftp://store.example.com", "https://store.example.com/x", "https://",
            "https://a@store.example.com", "https://store.example.com?x", "https://store.example.com#x",
            "https://store.example.com:0", "https://store.example.com:70000", "https://st ore", "https://störe.com",
            "https://" + String(repeating: "a", count: 300),
        ])
    func badAddresses(text: String) {
        #expect(throws: InvalidValue.self) { try StoreAddress(parsing: text) }
    }
}
