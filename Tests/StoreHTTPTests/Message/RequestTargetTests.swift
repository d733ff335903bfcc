import StoreHTTP
import TestSupport
import Testing

/// Paths and queries, and everything that only looks like one.
struct RequestTargetTests {
    @Test("An encoded text is decoded to itself, whatever it is")
    func encoding() {
        var random = RandomizedRun.generator(named: "percent encoding")
        for _ in 0..<RandomizedRun.cases(300) {
            let text = String(decoding: random.bytes(20), as: UTF8.self)
            #expect(PercentEncoding.decode(PercentEncoding.encode(text), plusIsSpace: true) == text)
        }
    }

    @Test("Characters that need no escape have none, all others have")
    func unreserved() {
        #expect(PercentEncoding.encode("aZ09-._~ /%é") == "aZ09-._~%20%2F%25%C3%A9")
    }

    @Test(
        "Broken escapes and bytes that are no text are refused",
        arguments: ["%", "%a", "%zz", "%C3", "%FF", "%ED%A0%80"])
    func broken(_ text: String) {
        #expect(PercentEncoding.decode(text, plusIsSpace: false) == nil)
        #expect(throws: TargetRefusal.malformed) { try RequestTarget("/\(text)") }
        #expect(throws: TargetRefusal.malformed) { try RequestTarget("/?\(text)") }
    }

    @Test("A query keeps its items in order, with or without values")
    func query() throws {
        let query = try RequestTarget("/?a=1&b&=x&&a=%3D&c=d=e?f").query
        #expect(query.all.map(\.name) == ["a", "b", "", "a", "c"])
        #expect(query.all.map(\.value) == ["1", "", "x", "=", "d=e?f"])
    }

    @Test("More items than the limit are refused")
    func items() throws {
        let fitting = String(repeating: "a&", count: HTTPLimits.queryItems)
        #expect(try RequestTarget("/?" + fitting).query.all.count == HTTPLimits.queryItems)
        #expect(throws: TargetRefusal.tooLong) { try RequestTarget("/?" + fitting + "a") }
    }

    @Test("The limit of length is met exactly")
    func length() throws {
        let fitting = "/" + String(repeating: "a", count: HTTPLimits.targetBytes - 1)
        #expect(try RequestTarget(fitting).segments.count == 1)
        #expect(throws: TargetRefusal.tooLong) { try RequestTarget(fitting + "a") }
    }

    @Test("Damaged targets are refused or have clean segments")
    func mutants() {
        let originals = ["/items/a%2Fb/c?x=1&y=%20z", "/a/b/c/../d/%2e%2e/e", "http://shop.example:80/a/b?c"]
        for mutant in Mutants("request targets", of: originals, rounds: 5000) {
            guard let target = try? RequestTarget(mutant.text) else { continue }
            let isClean = target.segments.allSatisfy { !["", ".", ".."].contains($0) && !$0.utf8.contains(0) }
            #expect(isClean, "\(mutant)")
            let again = "/" + target.segments.map(PercentEncoding.encode).joined(separator: "/")
            #expect((try? RequestTarget(again))?.segments == target.segments, "\(mutant)")
        }
    }

    @Test("A value can never become a field of its own")
    func injection() {
        var fields = HTTPFields()
        fields.add("Location", "/a\r\nSet-Cookie: x=1\0")
        #expect(fields.all.count == 1)
        #expect(fields["location"] == "/aSet-Cookie: x=1")
    }

    @Test("Fields are found whatever their case, and set in place of all of a name")
    func fields() {
        var fields: HTTPFields = ["A": "1", "a": "2, 3", "B": "4"]
        #expect(fields.values("a") == ["1", "2, 3"])
        #expect(fields.list("A").map(String.init) == ["1", "2", "3"])
        fields["a"] = "5"
        #expect(fields.values("A") == ["5"])
        fields["A"] = nil
        #expect(fields.all.map(\.name) == ["B"])
        #expect(HTTPFields(dictionaryLiteral: ("@", "1"))["`"] == nil)
    }
}
