import StoreHTTP
import StoreHTTPClient
import StoreModel
import Testing

@testable import StoreService

@Suite("What came of an attempt") struct NotificationClientTests {
    private static let url = "https://shop.example/hooks/till?a=1"

    private func answered(_ status: Int, _ fields: HTTPFields = HTTPFields(), _ body: String = "") throws
        -> NotificationOutcome
    {
        NotificationClient.outcome(
            of: ClientResponse(HTTPStatus(rawValue: status), fields: fields, body: Array(body.utf8)),
            from: try ClientURL(Self.url))
    }

    @Test("X7: Statuses from 200 to 206 say that it has arrived, and no other")
    func statuses() throws {
        for status in 200...206 { #expect(try answered(status).result == .success, "\(status)") }
        for status in [207, 226, 299, 400, 404, 410, 418, 500, 503, 599] {
            let outcome = try answered(status, HTTPFields(), "upstream\r\n\tconnect error\0")
            #expect(outcome.result == .unsuccessfulResponseCode && outcome.status == status, "\(status)")
            #expect(outcome.detail == "upstream connect error")
        }
        #expect(try answered(200).detail == nil)
        #expect(
            try answered(500, HTTPFields(), String(repeating: "é ", count: 4000)).detail.map { $0.utf8.count <= 501 }
                == true)
    }

    @Test("X7: A redirection to the same address is circular, any other is a status that says no")
    func redirections() throws {
        for status in [301, 302, 303, 307, 308] {
            for location in [Self.url, "?a=1", "/hooks/till?a=1", "//shop.example/hooks/till?a=1"] {
                #expect(try answered(status, ["Location": location]).result == .circularRedirect, "\(location)")
            }
            for location in ["/hooks/till", "http://shop.example/hooks/till?a=1", "https://other.example/", "::"] {
                #expect(try answered(status, ["Location": location]).result == .unsuccessfulResponseCode, "\(location)")
            }
            #expect(try answered(status).result == .unsuccessfulResponseCode)
        }
    }

    @Test("X7: An answer in other characters than those of the web is not taken")
    func characters() throws {
        for type in [
            "text/plain", "text/plain; charset=utf-8", "text/html; charset=\"ISO-8859-1\"", "application/json", "?",
        ] {
            #expect(try answered(200, ["Content-Type": type]).result == .success, "\(type)")
        }
        for type in ["text/plain; charset=utf-16", "text/html;charset=Shift_JIS"] {
            #expect(try answered(200, ["Content-Type": type]).result == .unsupportedCharset, "\(type)")
        }
        #expect(try answered(500, ["Content-Type": "text/plain; charset=utf-16"]).result == .unsuccessfulResponseCode)
    }

    @Test("X7: Every way in which there is no answer has its name")
    func failures() {
        func result(
            _ code: HTTPClientError.Code, hasBegun: Bool = false, status: HTTPStatus? = nil
        ) -> SendAttemptResult? {
            NotificationClient.outcome(
                of: HTTPClientError(code, "why", outcome: .unknown, status: status, hasBegun: hasBegun))?.result
        }
        #expect(result(.timedOut) == .timedOut)
        #expect(result(.untrusted) == .tlsIssue)
        #expect(result(.secureConnectionFailed) == .tlsIssue)
        #expect(result(.nameUnknown) == .socketIssue)
        #expect(result(.unreachable) == .socketIssue)
        #expect(result(.addressRefused) == .socketIssue)
        #expect(result(.connectionLost) == .noResponse)
        #expect(result(.connectionLost, hasBegun: true) == .prematureClose)
        #expect(result(.responseMalformed) == .invalidResponse)
        #expect(result(.responseTooLarge) == .invalidResponse)
        #expect(result(.responseTooLarge, hasBegun: true, status: .ok) == .success)
        #expect(
            result(.responseTooLarge, hasBegun: true, status: HTTPStatus(rawValue: 500)) == .unsuccessfulResponseCode)
        #expect(result(.failed) == .other)
        // This program has made no attempt then.
        for code in [HTTPClientError.Code.cancelled, .shutDown, .queueFull] { #expect(result(code) == nil) }
    }

    @Test("X7: Private addresses are reached only where that is allowed, and in the open no others")
    func addresses() {
        func kinds(_ isSecure: Bool, _ isPrivate: Bool) -> Set<AddressKind> {
            NotificationClient.addresses(isSecure: isSecure, isPrivate: isPrivate).allowed
        }
        #expect(kinds(true, false) == [.public])
        #expect(kinds(false, false).isEmpty)
        #expect(kinds(true, true) == [.public, .loopback, .private, .shared])
        #expect(kinds(false, true) == [.loopback, .private, .shared])
    }
}
