import StoreHTTP
import Testing

/// Cookies in both directions.
struct CookieTests {
    private func cookies(_ values: String...) throws -> Cookies {
        var request = HTTPRequest(method: .get, target: try RequestTarget("/"))
        for value in values { request.fields.add("Cookie", value) }
        return request.cookies
    }

    @Test("Pairs are found by name, the first of several")
    func pairs() throws {
        let cookies = try cookies("a=1; b=x=y; a=2", "c=3")
        #expect(cookies["a"] == "1")
        #expect(cookies["b"] == "x=y")
        #expect(cookies["c"] == "3")
        #expect(cookies["d"] == nil)
        #expect(cookies.names == ["a", "b", "a", "c"])
    }

    @Test("What is no pair is left out, and the rest is read")
    func lenient() throws {
        let cookies = try cookies("; ;junk;=x; a = 1 ;b=;c=\"quoted\";d=\"")
        #expect(cookies.names == ["a", "b", "c", "d"])
        #expect(cookies["a"] == "1")
        #expect(cookies["b"] == "")
        #expect(cookies["c"] == "quoted")
        #expect(cookies["d"] == "\"")
    }

    @Test("Names regard case")
    func nameCase() throws {
        #expect(try cookies("Visit=1")["visit"] == nil)
    }

    @Test("No more cookies are read than the limit")
    func limit() throws {
        let many = (0..<1000).map { "c\($0)=1" }.joined(separator: ";")
        #expect(try cookies(many).names.count == HTTPLimits.cookies)
    }

    @Test("A cookie says by itself that it is for HTTPS and for us alone")
    func safeByDefault() throws {
        let cookie = try #require(SetCookie("__Host-session", "abc123", maxAge: 60, sameSite: .strict))
        #expect(cookie.text == "__Host-session=abc123; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Strict")
    }

    @Test("A cookie says what another tool's says, in its own order")
    func golden() throws {
        let cookie = try #require(SetCookie("__Host-session", "abc123", maxAge: 60, sameSite: .strict))
        let sorted: (String) -> [String] = { text in text.split(separator: "; ").map(String.init).sorted() }
        #expect(sorted(cookie.text) == sorted(GoldenForms.cookie))
    }

    @Test("Everything that is said can be unsaid")
    func bare() throws {
        let cookie = try #require(
            SetCookie("a", "", path: nil, domain: "shop.example", maxAge: -5, isSecure: false, isHTTPOnly: false))
        #expect(cookie.text == "a=; Domain=shop.example; Max-Age=0; SameSite=Lax")
    }

    @Test(
        "A value that would be another field or attribute is refused",
        arguments: [
            "a;b", "a b", "a,b", "a\"b", "a\\b", "a\r\nb", "é", "a\0",
        ])
    func badValue(_ value: String) {
        #expect(SetCookie("a", value) == nil)
        #expect(SetCookie("a b", "x") == nil)
        #expect(SetCookie("", "x") == nil)
        #expect(SetCookie("a", "x", path: "/;\(value)") == nil)
    }

    @Test("A prefix that promises what the rest does not keep is refused")
    func prefixes() {
        #expect(SetCookie("__Host-a", "x", path: "/a") == nil)
        #expect(SetCookie("__Host-a", "x", domain: "shop.example") == nil)
        #expect(SetCookie("__HOST-a", "x", isSecure: false) == nil)
        #expect(SetCookie("__Secure-a", "x", isSecure: false) == nil)
        #expect(SetCookie("__Secure-a", "x", path: "/a") != nil)
    }

    @Test("Other sites get only what is secure, and nothing is too long for browsers")
    func limits() {
        #expect(SetCookie("a", "x", isSecure: false, sameSite: .none) == nil)
        #expect(SetCookie("a", String(repeating: "x", count: HTTPLimits.cookieBytes)) == nil)
    }

    @Test("A response may set several")
    func several() throws {
        var response = HTTPResponse.text("")
        response.set(try #require(SetCookie("a", "1")))
        response.set(try #require(SetCookie("b", "2")))
        #expect(response.fields.values("set-cookie").count == 2)
    }
}
