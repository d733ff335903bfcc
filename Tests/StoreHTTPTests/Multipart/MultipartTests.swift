import StoreHTTP
import TestSupport
import Testing

/// Forms with files.
struct MultipartTests {
    private static let golden = bytes(hex: GoldenForms.body)

    private func form(_ text: String, limits: MultipartLimits = MultipartLimits()) throws -> Form {
        try Form(Array(text.utf8), boundary: "x", limits: limits)
    }

    private func part(_ name: String, _ body: String) -> String {
        "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(body)\r\n"
    }

    @Test("A form that another tool made is read whole")
    func golden() throws {
        let form = try Form(Self.golden, boundary: GoldenForms.boundary)
        #expect(form.parts.map(\.head.name) == ["title", "note", "empty", "icon", "text"])
        #expect(form["title"]?.text == "Sword of Ötzi")
        #expect(form["note"]?.text == "one\r\ntwo")
        #expect(form["empty"]?.bytes == [])
        let icon = try #require(form["icon"])
        #expect(icon.head.fileName == "icon \"1\".png")
        #expect(icon.head.mediaType?.essence == "image/png")
        #expect(icon.bytes == Array("\u{89}PNG\r\n\u{1a}\n--\r\n--x\r\n\0".unicodeScalars.map { UInt8($0.value) }))
        #expect(form["text"]?.head.fileName == "größe.txt")
    }

    @Test("The pieces in which a form arrives make no difference", arguments: [1, 2, 3, 7, 64, 1000])
    func pieces(_ size: Int) async throws {
        let stream = BodyStream()
        let fields: HTTPFields = ["Content-Type": "multipart/form-data; boundary=\(GoldenForms.boundary)"]
        let request = HTTPRequest(
            method: .post, target: try RequestTarget("/"), fields: fields, body: .streaming(stream))
        Task {
            for start in stride(from: 0, to: Self.golden.count, by: size) {
                try await stream.write(Array(Self.golden[start..<min(start + size, Self.golden.count)]))
            }
            stream.finish()
        }
        var bodies: [[UInt8]] = []
        for try await event in try request.multipartEvents() {
            switch event {
            case .part: bodies.append([])
            case .data(let data): bodies[bodies.count - 1] += data
            case .partEnded: break
            }
        }
        #expect(bodies == (try Form(Self.golden, boundary: GoldenForms.boundary)).parts.map(\.bytes))
    }

    @Test("What stands before the first boundary and after the last is not read")
    func around() throws {
        let form = try form("preamble\r\n" + part("a", "1") + "--x--\r\nepilogue --x")
        #expect(form.parts.map(\.text) == ["1"])
    }

    @Test(
        "What only looks like a boundary is part of the body",
        arguments: [
            "a--x", "\r\n--", "\r\n-x", "\n--x", "\r--x", "\r\n\r\n", "\r\n--X",
        ])
    func lookalikes(_ body: String) throws {
        #expect(try form(part("a", body + "y") + "--x--")["a"]?.text == body + "y")
    }

    @Test("Two parts of one name are two parts")
    func repeated() throws {
        #expect(try form(part("a", "1") + part("a", "2") + "--x--").parts.map(\.text) == ["1", "2"])
    }

    @Test("Nothing stands between the last boundary and its dashes")
    func lastBoundary() throws {
        #expect(try form(part("a", "1") + "--x--").parts.count == 1)
        #expect(throws: APIError.self) { try form(part("a", "1") + "--x --") }
    }

    @Test("A form without parts is one")
    func noParts() throws {
        #expect(try form("--x--").parts.isEmpty)
    }

    @Test(
        "A body that is not a form is refused",
        arguments: [
            "", "--", "--x", "--x\r\n", "--x-", "--xy--", "--x\r\n\r\nbody\r\n--x--",
            "--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--", "--x\r\nContent-Type: a/b\r\n\r\n\r\n--x--",
            "--x\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--x--",
            "--x\r\nno field\r\n\r\n\r\n--x--", "--x\r\n folded: a\r\n\r\n\r\n--x--",
            "--x\r\nContent-Disposition: form-data; name=\"a\r\n\r\n\r\n--x--",
            "--x\r\nContent-Disposition: form-data; name=a\r\n\r\nunfinished",
        ])
    func malformed(_ body: String) throws {
        let error = try #require(throws: APIError.self) { try form(body) }
        #expect(error.status == .badRequest)
        #expect(error.code == "multipart_malformed")
    }

    @Test(
        "Every limit is kept",
        arguments: [
            MultipartLimits(parts: 1), MultipartLimits(headBytes: 39), MultipartLimits(partBytes: 3),
        ])
    func limits(_ limits: MultipartLimits) throws {
        let body = part("a", "1234") + part("b", "") + "--x--"
        #expect(try form(body, limits: MultipartLimits(parts: 2, headBytes: 40, partBytes: 4)).parts.count == 2)
        let error = try #require(throws: APIError.self) { try form(body, limits: limits) }
        #expect(error.status == .contentTooLarge)
    }

    @Test("A header that never ends is refused before it is stored")
    func endlessHeader() throws {
        var parser = try MultipartParser(boundary: "x", limits: MultipartLimits(headBytes: 100))
        #expect(try parser.read(Array("--x\r\n".utf8)) == [])
        #expect(throws: APIError.self) {
            for _ in 0..<20 { _ = try parser.read(Array("aaaaaaaaaa".utf8)) }
        }
    }

    @Test(
        "A boundary that the format does not allow is refused",
        arguments: ["", "é", "a ", String(repeating: "a", count: 71)])
    func boundary(_ boundary: String) {
        #expect(throws: APIError.self) { try MultipartParser(boundary: boundary) }
    }

    @Test("A request that is no such form is told what it has to be", arguments: ["text/plain", "multipart/form-data"])
    func mediaType(_ type: String) throws {
        let request = HTTPRequest(
            method: .post, target: try RequestTarget("/"), fields: ["Content-Type": type], body: .collected([]))
        let error = try #require(throws: APIError.self) { try request.multipartEvents() }
        #expect(error.status == .unsupportedMediaType)
    }

    @Test("What stands before the first boundary is limited, in one piece and byte by byte", arguments: [38, 39])
    func preamble(length: Int) throws {
        let limits = MultipartLimits(parts: 8, headBytes: 40, partBytes: 300)
        // The parser counts the line's end that it puts in front.
        let body = Array((String(repeating: "x", count: length) + "\r\n--B--\r\n").utf8)
        var parser = try MultipartParser(boundary: "B", limits: limits)
        var isRefused = false
        do throws(APIError) {
            for byte in body { _ = try parser.read([byte]) }
        } catch {
            isRefused = true
        }
        #expect(isRefused == (length > 38))
        let whole = try? Form(body, boundary: "B", limits: limits)
        #expect((whole == nil) == isRefused)
    }

    @Test("Damaged forms are read the same in one piece and byte by byte")
    func mutants() throws {
        let limits = MultipartLimits(parts: 8, headBytes: 300, partBytes: 300)
        for mutant in Mutants("multipart", of: [Self.golden], rounds: 300) {
            let whole = try? Form(mutant.bytes, boundary: GoldenForms.boundary, limits: limits).parts
            var parser = try MultipartParser(boundary: GoldenForms.boundary, limits: limits)
            var bodies: [[UInt8]]? = []
            do throws(APIError) {
                for byte in mutant.bytes {
                    for event in try parser.read([byte]) {
                        if case .part = event { bodies?.append([]) }
                        if case .data(let data) = event, let last = bodies?.indices.last { bodies?[last] += data }
                    }
                }
                try parser.finish()
            } catch {
                bodies = nil
            }
            #expect(whole?.map(\.bytes) == bodies, "\(mutant)")
        }
    }
}

/// A form with all of its parts, as the parser tells of them.
private struct Form {
    struct Part {
        let head: MultipartHead
        var bytes: [UInt8] = []
        var text: String? { String(validating: bytes, as: UTF8.self) }
    }

    private(set) var parts: [Part] = []

    init(_ bytes: [UInt8], boundary: String, limits: MultipartLimits = MultipartLimits()) throws(APIError) {
        var parser = try MultipartParser(boundary: boundary, limits: limits)
        for event in try parser.read(bytes) {
            switch event {
            case .part(let head): parts.append(Part(head: head))
            case .data(let data): parts[parts.count - 1].bytes += data
            case .partEnded: break
            }
        }
        try parser.finish()
    }

    subscript(name: String) -> Part? { parts.first { $0.head.name == name } }
}
