import Foundation
import StoreHTTP
import Testing

/// Parts of bodies.
struct RangeTests {
    private let digits = Array("0123456789".utf8)

    private func respond(_ range: String, _ more: HTTPFields = [:], method: HTTPMethod = .get) throws -> HTTPResponse {
        var fields = more
        fields["Range"] = range
        var response = HTTPResponse(.ok, digits, as: "text/plain")
        response.fields["Accept-Ranges"] = "bytes"
        response.fields["ETag"] = "\"a\""
        response.fields["Last-Modified"] = "Sun, 06 Nov 1994 08:49:37 GMT"
        let request = HTTPRequest(method: method, target: try RequestTarget("/"), fields: fields)
        return response.narrowed(to: request) { "LINE" }
    }

    private func text(_ response: HTTPResponse) async throws -> String {
        String(decoding: try await TransportBody(response.body).collect(), as: UTF8.self)
    }

    @Test(
        "One range is answered with just that",
        arguments: [
            ("bytes=0-0", "0", "0-0"), ("bytes=2-4", "234", "2-4"), ("bytes=7-", "789", "7-9"),
            ("bytes=-2", "89", "8-9"),
            ("bytes=5-99", "56789", "5-9"), ("bytes=-99", "0123456789", "0-9"), ("BYTES = 1-1 ,", "1", "1-1"),
            ("bytes=9-9223372036854775807", "9", "9-9"), ("bytes=9-99999999999999999999999", "9", "9-9"),
            ("bytes=0-1,20-", "01", "0-1"),
        ])
    func single(_ range: String, _ expected: String, _ content: String) async throws {
        let response = try respond(range)
        #expect(response.status == .partialContent)
        #expect(response.fields["Content-Range"] == "bytes \(content)/10")
        #expect(response.fields["Content-Type"] == "text/plain")
        #expect(try await text(response) == expected)
    }

    @Test("As many ranges as the limit count, one more and the whole is the answer", arguments: [0, 1])
    func limit(_ more: Int) throws {
        let beyond = Array(repeating: "20-", count: HTTPLimits.ranges - 1 + more)
        let response = try respond("bytes=" + (beyond + ["0-0"]).joined(separator: ","))
        #expect(response.status == (more == 0 ? .partialContent : .ok))
    }

    @Test("A range behind the end is refused with the length", arguments: ["bytes=10-", "bytes=99-100", "bytes=-0"])
    func unsatisfiable(_ range: String) throws {
        let response = try respond(range)
        #expect(response.status == .rangeNotSatisfiable)
        #expect(response.fields["Content-Range"] == "bytes */10")
        #expect(response.body.length == 0)
    }

    @Test(
        "What is no range, or an abuse of ranges, is answered with the whole",
        arguments: [
            "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=4-2", "bytes=1-2-3", "items=0-1", "bytes=0-1,x",
            "bytes=+1-2",
            "bytes=0-5,3-9", "bytes=0-,0-,0-", "bytes=1-1,1-1",
            "bytes=" + Array(repeating: "0-0", count: 17).joined(separator: ","),
        ])
    func ignored(_ range: String) throws {
        let response = try respond(range)
        #expect(response.status == .ok)
        #expect(response.fields["Content-Range"] == nil)
    }

    @Test("Several ranges come in the order of asking, each with its place")
    func several() async throws {
        let response = try respond("bytes=7-8, 0-1,-1")
        #expect(response.status == .partialContent)
        #expect(response.fields["Content-Type"] == "multipart/byteranges; boundary=LINE")
        #expect(response.fields["Content-Range"] == nil)
        let expected =
            ["7-8/10\r\n\r\n78", "0-1/10\r\n\r\n01", "9-9/10\r\n\r\n9"].map {
                "\r\n--LINE\r\nContent-Type: text/plain\r\nContent-Range: bytes \($0)"
            }.joined() + "\r\n--LINE--\r\n"
        #expect(response.body.length == expected.utf8.count)
        #expect(try await text(response) == expected)
    }

    @Test(
        "A range counts only for the state that the client has a part of",
        arguments: [
            ("\"a\"", 206), ("\"b\"", 200), ("W/\"a\"", 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 206),
            ("Sun, 06 Nov 1994 08:49:38 GMT", 200), ("Sun, 06 Nov 1994 08:49:36 GMT", 200), ("junk", 200),
        ])
    func ifRange(_ condition: String, _ status: Int) throws {
        #expect(try respond("bytes=0-1", ["If-Range": condition]).status.rawValue == status)
    }

    @Test("Conditions come before ranges, and HEAD has none")
    func order() throws {
        #expect(try respond("bytes=0-1", ["If-None-Match": "\"a\""]).status == .notModified)
        #expect(try respond("bytes=99-", ["If-Match": "\"b\""]).status == .preconditionFailed)
        #expect(try respond("bytes=0-1", method: .head).status == .ok)
    }

    @Test("Parts of a file are parts of the file, also of several kinds at once")
    func file() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "digits.txt").path
        try Data(digits).write(to: URL(filePath: path))
        let response = HTTPResponse.file(try #require(OpenFile(path: path)), named: path)
        #expect(response.fields["Content-Type"] == "text/plain; charset=utf-8")
        let one = HTTPRequest(method: .get, target: try RequestTarget("/"), fields: ["Range": "bytes=3-5"])
        #expect(try await text(response.narrowed(to: one) { "LINE" }) == "345")
        let two = HTTPRequest(method: .get, target: try RequestTarget("/"), fields: ["Range": "bytes=3-3,8-"])
        let parts = response.narrowed(to: two) { "LINE" }
        #expect(try await text(parts).utf8.count == parts.body.length)
        let tag = try #require(response.fields["ETag"])
        let again = HTTPRequest(method: .get, target: try RequestTarget("/"), fields: ["If-None-Match": tag])
        #expect(response.narrowed(to: again) { "" }.status == .notModified)
    }

    @Test("A folder, a link, a pipe and a path with a NUL are no files")
    func noFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "till-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link, pipe) = (folder.path + "/file", folder.path + "/link", folder.path + "/pipe")
        try Data([1]).write(to: URL(filePath: file))
        #expect(symlink(file, link) == 0)
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(OpenFile(path: file)?.read(at: 0, count: 5) == [1])
        #expect(OpenFile(path: file)?.read(at: -1, count: 5) == [])
        for path in [folder.path, link, pipe, file + "\0", folder.path + "/none"] {
            #expect(OpenFile(path: path) == nil, "\(path)")
        }
    }
}
