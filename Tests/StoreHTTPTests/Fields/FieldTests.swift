import StoreHTTP
import TestSupport
import Testing

/// Media types, preferences and credentials.
struct FieldTests {
    @Test("A media type is read whatever its case and spacing")
    func mediaType() throws {
        let type = try #require(MediaType(parsing: #" Text/HTML ; Charset="utf-8";a=b; "#))
        #expect(type.essence == "text/html")
        #expect(type.parameter("charset") == "utf-8")
        #expect(type.parameter("a") == "b")
    }

    @Test("A quoted parameter may contain what ends others")
    func quoted() {
        #expect(MediaType(parsing: #"a/b;c="x;y,\"z\\""#)?.parameter("c") == #"x;y,"z\"#)
    }

    @Test(
        "What is no media type is none",
        arguments: [
            "", "text", "text/", "/html", "text/html/x", "text/html; charset", "text/html; charset=",
            "text/html; a=\"b",
            "text html", "text/html, a/b", "a/b" + String(repeating: ";c=d", count: 17),
        ])
    func badMediaType(_ text: String) {
        #expect(MediaType(parsing: text) == nil)
    }

    @Test("Types of JSON are known by their suffix too")
    func json() {
        #expect(MediaType(parsing: "application/problem+json")?.isJSON == true)
        #expect(MediaType(parsing: "text/plain")?.isJSON == false)
    }

    @Test(
        "The best is what the client weighs most, of equals the first we have",
        arguments: [
            ([], "a/x"), (["b/y"], "b/y"), (["b/y;q=0.5, a/x;q=0.4"], "b/y"), (["*/*"], "a/x"),
            (["b/*, a/*;q=0.1"], "b/y"),
            (["*/*;q=0.1", "b/y"], "b/y"), (["a/x;q=0, */*"], "b/y"), (["text/html"], nil),
            (["a/x;q=2, b/y;q=0.1"], "b/y"),
            (["A/X"], "a/x"), (["a/x;v=1;q=0.2, b/y;q=0.1"], "a/x"), (["a/x;q=0.0001, b/y;q=0.001"], "b/y"),
        ] as [([String], String?)])
    func preferences(_ values: [String], _ expected: String?) {
        #expect(Preferences(values).best(of: ["a/x", "b/y"]) == expected)
    }

    @Test("No coding is good unless refused, any other only if asked for")
    func codings() {
        #expect(Preferences([]).weight(ofEncoding: "gzip") == 0)
        #expect(Preferences(["gzip, br"]).weight(ofEncoding: "gzip") == 1000)
        #expect(Preferences(["*;q=0.5"]).weight(ofEncoding: "gzip") == 500)
        #expect(Preferences(["gzip;q=0, *"]).weight(ofEncoding: "gzip") == 0)
        #expect(Preferences(["gzip"]).weight(ofEncoding: "identity") == 1000)
        #expect(Preferences(["*;q=0"]).weight(ofEncoding: "identity") == 0)
    }

    @Test(
        "Credentials are read by scheme",
        arguments: [
            ("Bearer abc.DEF-1_~+/=", .bearer("abc.DEF-1_~+/=")), ("bearer  x", .bearer("x")),
            ("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", .basic(user: "Aladdin", password: "open sesame")),
            ("BASIC Og==", .basic(user: "", password: "")), ("Basic YTpiOmM=", .basic(user: "a", password: "b:c")),
            ("Bearer", nil), ("Bearer a b", nil), ("Basic !", nil), ("Basic YQ==", nil), ("Basic /zo=", nil),
            ("Digest a", nil), ("", nil), ("Bearer a\u{0}b", nil), ("Basic YToNCg==", nil),
        ] as [(String, Authorization?)])
    func authorization(_ text: String, _ expected: Authorization?) {
        #expect(Authorization(parsing: text) == expected)
    }

    @Test("Who says it twice says nothing")
    func twice() throws {
        var request = HTTPRequest(method: .get, target: try RequestTarget("/"))
        request.fields.add("Authorization", "Bearer a")
        #expect(request.authorization == .bearer("a"))
        request.fields.add("authorization", "Bearer b")
        #expect(request.authorization == nil)
    }

    @Test("Damaged fields are read or refused, and never stop the service")
    func mutants() throws {
        let originals = [
            #"multipart/form-data; boundary="a\"b"; charset=utf-8"#, "text/html;q=0.5, */*;q=0.1, a/b;c=d",
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "a=1; b=\"2\"; c=x=y", #"W/"a", "b", "c""#, "bytes=0-99,200-,-100",
        ]
        var read = 0
        for mutant in Mutants("HTTP fields", of: originals, rounds: 3000) {
            var request = HTTPRequest(method: .get, target: try RequestTarget("/"))
            let names = ["Cookie", "If-Match", "If-None-Match", "If-Range", "Range", "Content-Type", "Authorization"]
            for name in names { request.fields.add(name, mutant.text) }
            _ = request.cookies.names
            _ = request.authorization
            _ = Preferences([mutant.text]).best(of: ["text/html"])
            if let type = request.fields.mediaType { #expect(type.essence.contains("/"), "\(mutant)") }
            var response = HTTPResponse.text("0123456789")
            response.fields["ETag"] = "\"b\""
            response.fields["Accept-Ranges"] = "bytes"
            let status = response.narrowed(to: request) { "x" }.status.rawValue
            #expect([200, 206, 304, 412, 416].contains(status), "\(mutant)")
            read += 1
        }
        #expect(read >= 3000)
    }
}
