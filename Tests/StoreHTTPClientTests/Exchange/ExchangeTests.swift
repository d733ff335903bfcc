import StoreHTTP
import StoreHTTPClient
import TestSupport
import Testing

@Suite("What is sent arrives, and what is answered comes back", .bounded) struct ExchangeTests {
    @Test("a request goes out as it was written, and the response comes back") func requestGoesOut() async throws {
        let heads = Collected<String>()
        try await TestClient.with(
            script: { connection, _ in
                while let head = connection.readHead() {
                    heads.append(head)
                    connection.answer("201 Made", fields: ["X-Two: a", "x-two:\t b "], Array("hello".utf8))
                }
            },
            test: { client, server in
                let request = ClientRequest(
                    .delete, server.url("/a/../b%2F?q=1&p"),
                    fields: ["X-Probe": "one", "X-Empty": "", "User-Agent": "probe"])
                let response = try await client.send(request)
                #expect(response.status == .created)
                #expect(response.body == Array("hello".utf8))
                #expect(response.fields.values("X-Two") == ["a", "b"])
                let lines = try #require(heads.all.first).split(separator: "\r\n").map(String.init)
                #expect(lines.first == "DELETE /a/../b%2F?q=1&p HTTP/1.1")
                #expect(Set(lines.dropFirst()).isSuperset(of: ["X-Probe: one", "X-Empty:", "User-Agent: probe"]))
                #expect(lines.contains("Host: 127.0.0.1:\(server.port)"))
                #expect(!lines.contains { $0.hasPrefix("Expect") || $0.hasPrefix("Content-Length") })
            })
    }

    @Test("requests of one kind share a connection") func requestsOneKind() async throws {
        try await TestClient.with(
            script: { connection, _ in
                while connection.readHead() != nil { connection.answer() }
            },
            test: { client, server in
                for _ in 0..<5 { try await client.send(.get(server.url())) }
                #expect(server.accepted == 1)
            })
    }

    @Test("a body in one piece arrives whole and with its length") func bodyOnePiece() async throws {
        let body = SplitMix64Bytes.make(300_000)
        let received = Collected<[UInt8]>()
        try await TestClient.with(
            script: { connection, _ in
                guard let head = connection.readHead(), head.contains("\r\nContent-Length: 300000\r\n") else { return }
                received.append(connection.read(300_000) ?? [])
                connection.answer()
            },
            test: { client, server in
                let request = ClientRequest(.post, server.url(), fields: ["Content-Type": "x/y"], body: .bytes(body))
                let response = try await client.send(request)
                #expect(response.status == .ok)
                #expect(received.all == [body])
            })
    }

    @Test("a POST without a body says so") func postWithoutBody() async throws {
        let heads = Collected<String>()
        try await TestClient.with(
            script: { connection, _ in
                heads.append(connection.readHead() ?? "")
                connection.answer()
            },
            test: { client, server in
                try await client.send(ClientRequest(.post, server.url()))
                #expect(heads.all[0].contains("\r\nContent-Length: 0\r\n"))
            })
    }

    @Test("a body that tasks make arrives in order, with or without a length") func bodyTasksMake() async throws {
        let pieces = (0..<20).map { number in [UInt8](repeating: UInt8(number), count: 7001) }
        let received = Collected<[UInt8]>()
        try await TestClient.with(
            script: { connection, number in
                guard let head = connection.readHead() else { return }
                let isMeasured = number == 1
                guard head.contains("Content-Length: 140020") == isMeasured,
                    head.contains("Transfer-Encoding: chunked") != isMeasured
                else { return }
                received.append(isMeasured ? connection.read(140_020) ?? [] : connection.readChunks())
                connection.answer()
            },
            test: { client, server in
                for length in [nil, 140_020] {
                    let stream = BodyStream(limit: 10_000)
                    let writer = Task {
                        for piece in pieces { try await stream.write(piece) }
                        stream.finish()
                    }
                    let request = ClientRequest(.post, server.url(), body: .stream(length: length, stream))
                    let response = try await client.send(request)
                    #expect(response.status == .ok)
                    // The server may have all of it before the writer has said that it was all.
                    _ = await writer.result
                }
                #expect(received.all == [Array(pieces.joined()), Array(pieces.joined())])
            })
    }

    @Test("a body that is not as long as announced is not passed off as whole", arguments: [5, 20])
    func bodyNotLong(announced: Int) async throws {
        try await TestClient.with(
            script: { connection, _ in
                _ = connection.readHead()
                connection.waitForEnd()
            },
            test: { client, server in
                let stream = BodyStream()
                _ = stream.write([UInt8](repeating: 1, count: 10)) {}
                stream.finish()
                let request = ClientRequest(.post, server.url(), body: .stream(length: announced, stream))
                let error = await TestClient.failure { try await client.send(request) }
                #expect(error?.code == .requestBody)
                #expect(error?.outcome == .unknown)
                #expect(stream.isReaderGone)
            })
    }

    @Test("a file is a body") func test6() async throws {
        try await TestClient.with(
            script: { connection, _ in
                guard connection.readHead() != nil, let body = connection.read(200_000) else { return }
                connection.answer(body)
            },
            test: { client, server in
                let executable = try #require(OpenFile(path: CommandLine.arguments[0]))
                let part = FileBody(executable, range: 1000..<201_000)
                let response = try await client.send(ClientRequest(.put, server.url(), body: .file(part)))
                #expect(response.body == executable.read(at: 1000, count: 200_000))
            })
    }

    @Test("what cannot be sent is refused before anything is sent") func whatCannotBe() async throws {
        let client = TestClient.make()
        let url = "http://127.0.0.1:1/"
        let wrong: [ClientRequest] = [
            .get("ftp://127.0.0.1/"), .get("file:///etc/passwd"), .get("/path"),
            .get("http://user:secret@127.0.0.1/"), .get("http://127.0.0.1/a b"),
            .get("http://127.0.0.1/é"), .get("http://127.0.0.1:99999/"), .get("http:///"),
            .get("http://127.0.0.1/" + String(repeating: "a", count: 17_000)), .get(""),
            ClientRequest(HTTPMethod(rawValue: "A B"), url), ClientRequest(HTTPMethod(rawValue: "CONNECT"), url),
            ClientRequest(.get, url, body: .bytes([1])),
            .get(url, fields: ["A B": "1"]), .get(url, fields: ["": "1"]),
            .get(url, fields: ["Content-Length": "3"]), .get(url, fields: ["transfer-encoding": "x"]),
            .get(url, fields: ["A": "\u{1}"]),
        ]
        for request in wrong {
            let error = await TestClient.failure { try await client.send(request) }
            #expect(error?.code == .requestMalformed, "\(request.url.prefix(60))")
            #expect(error?.outcome == .notSent)
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test("a field cannot smuggle in another") func fieldCannotSmuggle() async throws {
        let heads = Collected<String>()
        try await TestClient.with(
            script: { connection, _ in
                heads.append(connection.readHead() ?? "")
                connection.answer()
            },
            test: { client, server in
                var fields = HTTPFields()
                fields.add("X-A", "1\r\nX-B: 2")
                try await client.send(.get(server.url(), fields: fields))
                #expect(heads.all[0].contains("\r\nX-A: 1X-B: 2\r\n"))
            })
    }
}
