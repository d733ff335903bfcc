import StoreHTTP
import Testing

/// Responses as handlers make them.
struct ResponseKindTests {
    private struct Price: Encodable {
        let currency = "EUR"
        let amount = 1.99
        let link = "a/b"
    }

    @Test("JSON has exactly its type and its members in order")
    func json() throws {
        let response = try HTTPResponse.json(Price())
        #expect(response.fields["Content-Type"] == "application/json")
        guard case .bytes(let bytes) = response.body else { return #expect(Bool(false)) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"amount":1.99,"currency":"EUR","link":"a/b"}"#)
    }

    @Test("A text in JSON keeps every character and breaks no line")
    func jsonText() {
        let value = JSONValue.members([
            "a": .string("\"\\/\n\r\t\0\u{7f}é月"), "b": nil, "c": .array([.null, .integer(-1)]),
        ])
        #expect(value.text == #"{"a":"\"\\/\n\u000d\u0009\u0000\u007fé月","c":[null,-1]}"#)
    }

    @Test("A redirect can be followed by every client")
    func redirect() {
        let response = HTTPResponse.redirect(to: "/account?name=é&x=%20\r\nSet-Cookie: a")
        #expect(response.status == .seeOther)
        #expect(response.fields["Location"] == "/account?name=%C3%A9&x=%20%0D%0ASet-Cookie:%20a")
    }

    @Test("What goes out has a date and a length that tells the truth")
    func prepared() {
        var response = HTTPResponse.text("body")
        response.fields["Content-Length"] = "99"
        let sent = response.prepared(for: .get, date: HTTPDate(secondsSince1970: 0))
        #expect(sent.fields["Content-Length"] == "4")
        #expect(sent.fields["Date"] == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test("A body that must not be is not sent, and its writer is told", arguments: [204, 304, 200])
    func withoutBody(_ status: Int) {
        let stream = BodyStream()
        let response = HTTPResponse(HTTPStatus(rawValue: status), body: .stream(length: 5, stream))
        let sent = response.prepared(for: .head, date: HTTPDate(secondsSince1970: 0))
        #expect(sent.fields["Content-Length"] == (status == 200 ? "5" : nil))
        #expect(sent.body.length == 0)
        #expect(stream.isReaderGone)
    }

    @Test("An error has one form, and every member of it")
    func error() throws {
        var request = HTTPRequest(method: .get, target: try RequestTarget("/"), id: "r1")
        let form = JSONErrorForm(documentation: "https://till.example/errors")
        var error = APIError(.tooManyRequests, code: "slow_down", "Too many.", parameter: "a")
        error.fields["Retry-After"] = "3"
        let response = form.response(to: error, for: request)
        #expect(response.fields["Retry-After"] == "3")
        #expect(response.fields["Content-Type"] == "application/json")
        #expect(
            text(response)
                == #"{"error":{"type":"rate_limit","code":"slow_down","message":"Too many.","parameter":"a","#
                + #""request_id":"r1","documentation":"https://till.example/errors#slow_down"}}"#)
        request.id = ""
        error.parameter = nil
        let bare = JSONErrorForm().response(to: error, for: request)
        #expect(text(bare).hasSuffix(#""parameter":null,"request_id":null,"documentation":null}}"#))
    }

    private func text(_ response: HTTPResponse) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
