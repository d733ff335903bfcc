import Testing

@testable import StoreHTTP

@Suite("Values of fields and weights of preferences")
struct FieldValueTests {
    @Test("Nothing in a value ends its line", arguments: ["a\r\nb", "a\nb", "a\rb", "a\0b", "\0a\0\0b\0", "ab\r\n"])
    func singleLine(value: String) {
        var fields = HTTPFields()
        fields.add("X-Name", value)
        #expect(fields["x-name"] == "ab")
        fields[value] = "c"
        #expect(fields["ab"] == "c")
    }

    @Test(
        "A weight is a number from nought to one, with three digits at most",
        arguments: [
            ("1", 1000), ("1.000", 1000), ("0.5", 500), ("0.05", 50), ("0.001", 1), ("0", 0), ("1.001", 0), ("1.5", 0),
            ("2", 0), ("0.0001", 0), ("-1", 0), ("0,5", 0), ("", 0), ("a", 0),
        ])
    func weights(text: String, weight: Int) {
        #expect(Preferences(["gzip;q=\(text)"]).weight(ofEncoding: "gzip") == weight)
    }
}
