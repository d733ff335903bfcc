import StoreHTTP
import Testing

/// Conditions, in the order of RFC 9110 §13.2.2.
struct PreconditionTests {
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    private func status(_ fields: HTTPFields, _ method: HTTPMethod = .get, tag: String? = "\"a\"") throws -> Int {
        let request = HTTPRequest(method: method, target: try RequestTarget("/"), fields: fields)
        var response = HTTPResponse.text("body")
        response.fields["ETag"] = tag
        response.fields["Last-Modified"] = Self.modified
        return response.narrowed(to: request) { "" }.status.rawValue
    }

    @Test(
        "A client that has the state is told so, with weak tags too",
        arguments: [
            "\"a\"", "W/\"a\"", "\"b\", \"a\"", "\"b\",W/\"a\"", "*", " * ",
        ])
    func ifNoneMatch(_ value: String) throws {
        #expect(try status(["If-None-Match": value]) == 304)
        #expect(try status(["If-None-Match": value], .head) == 304)
        #expect(try status(["If-None-Match": value], tag: "W/\"a\"") == 304)
    }

    @Test(
        "A client that has another state gets this one", arguments: ["\"b\"", "", "a", "\"A\"", "\"a", "junk, \"a\""])
    func ifNoneMatchFails(_ value: String) throws {
        #expect(try status(["If-None-Match": value]) == 200)
    }

    @Test(
        "A condition on the state is met by strong tags only",
        arguments: [
            ("\"a\"", 200), ("*", 200), ("\"b\", \"a\"", 200), ("W/\"a\"", 412), ("\"b\"", 412), ("junk", 412),
        ])
    func ifMatch(_ value: String, _ expected: Int) throws {
        #expect(try status(["If-Match": value]) == expected)
    }

    @Test("A weak tag never meets a condition for exactly this state")
    func weakState() throws {
        #expect(try status(["If-Match": "W/\"a\""], tag: "W/\"a\"") == 412)
        #expect(try status(["If-Match": "*"], tag: "W/\"a\"") == 200)
    }

    @Test("Dates count to the second")
    func dates() throws {
        #expect(try status(["If-Modified-Since": Self.modified]) == 304)
        #expect(try status(["If-Modified-Since": Self.later]) == 304)
        #expect(try status(["If-Modified-Since": Self.earlier]) == 200)
        #expect(try status(["If-Unmodified-Since": Self.modified]) == 200)
        #expect(try status(["If-Unmodified-Since": Self.earlier]) == 412)
    }

    @Test("A date that is none is no condition")
    func badDates() throws {
        #expect(try status(["If-Modified-Since": "yesterday"]) == 200)
        #expect(try status(["If-Unmodified-Since": "1"]) == 200)
        #expect(try status(["If-Modified-Since": Self.later, "if-modified-since": Self.later]) == 200)
    }

    @Test("Tags outweigh dates")
    func tagsFirst() throws {
        #expect(try status(["If-None-Match": "\"b\"", "If-Modified-Since": Self.later]) == 200)
        #expect(try status(["If-Match": "\"a\"", "If-Unmodified-Since": Self.earlier]) == 200)
    }

    @Test("What must be so is weighed before what must not")
    func order() throws {
        #expect(try status(["If-Match": "\"b\"", "If-None-Match": "\"a\""]) == 412)
        #expect(try status(["If-Unmodified-Since": Self.earlier, "If-Modified-Since": Self.later]) == 412)
        #expect(try status(["If-Match": "\"a\"", "If-None-Match": "\"a\""]) == 304)
    }

    @Test("A method that changes is refused where a reader would have nothing new")
    func changing() throws {
        let request = HTTPRequest(method: .put, target: try RequestTarget("/"), fields: ["If-None-Match": "*"])
        #expect(request.preconditions(for: ResourceState(tag: EntityTag("a"))) == .failed)
        #expect(request.preconditions(for: nil) == .proceed)
        let dated = HTTPRequest(
            method: .put, target: try RequestTarget("/"), fields: ["If-Modified-Since": Self.later])
        let state = ResourceState(lastModified: HTTPDate(parsing: Self.modified))
        #expect(dated.preconditions(for: state) == .proceed)
    }

    @Test("What does not exist is never the state that was meant")
    func missing() throws {
        for value in ["*", "\"a\""] {
            let request = HTTPRequest(method: .put, target: try RequestTarget("/"), fields: ["If-Match": value])
            #expect(request.preconditions(for: nil) == .failed)
        }
    }

    @Test("Not modified keeps what caches need and nothing of the body")
    func notModified() throws {
        var response = HTTPResponse.text("body")
        response.fields["ETag"] = "\"a\""
        response.fields["Cache-Control"] = "max-age=5"
        let request = HTTPRequest(method: .get, target: try RequestTarget("/"), fields: ["If-None-Match": "\"a\""])
        let narrowed = response.narrowed(to: request) { "" }
        #expect(narrowed.fields.all.map(\.name).sorted() == ["Cache-Control", "ETag"])
        #expect(narrowed.body.length == 0)
    }

    @Test("Only a success is weighed")
    func otherStatus() throws {
        var response = HTTPResponse.text("gone", status: .notFound)
        response.fields["ETag"] = "\"a\""
        let request = HTTPRequest(method: .get, target: try RequestTarget("/"), fields: ["If-None-Match": "*"])
        #expect(response.narrowed(to: request) { "" }.status == .notFound)
    }

    @Test("A tag is written so that it can be read back", arguments: [("a", "\"a\""), ("a\"b c\r", "\"abc\"")])
    func tagText(_ opaque: String, _ text: String) {
        #expect(EntityTag(opaque).text == text)
        #expect(EntityTag(parsing: text) == EntityTag(opaque))
        #expect(EntityTag(opaque, isWeak: true).text == "W/" + text)
    }
}
