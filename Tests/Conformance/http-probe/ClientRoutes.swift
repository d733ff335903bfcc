import StoreHTTP

/// What browsers, downloaders and uploaders ask of a server, one path each.
enum ClientRoutes {
    static func make(file: String?) -> [Route] {
        var routes: [Route] = [
            .get("/document") { _ in
                var response = HTTPResponse.text(String(repeating: "A line of text.\n", count: 4000))
                response.fields["ETag"] = EntityTag("first").text
                response.fields["Accept-Ranges"] = "bytes"
                return response
            },
            .get("/download") { _ in
                file.flatMap { OpenFile(path: $0) }.map { .file($0, named: "file") } ?? HTTPResponse(.notFound)
            },
            .put("/upload", body: .streamed(limit: 1 << 26), suspending: count),
            .post("/form/parts", body: .collected(limit: 1 << 20), suspending: parts),
            .post("/form", body: .collected(limit: 1 << 16)) { request in
                let items = try request.form().all
                return .json(.array(items.map { .array([.string($0.name), .string($0.value)]) }))
            },
            .get("/visit") { request in
                let visits = request.cookies["visits"].flatMap { Int($0) } ?? 0
                var response = HTTPResponse.text("visit \(visits + 1)")
                if let cookie = SetCookie("visits", String(visits + 1), maxAge: 60, isSecure: false) {
                    response.set(cookie)
                }
                return response
            },
        ]
        let random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
        for index in routes.indices {
            routes[index].middleware = [ConditionalRequests(random: random), Compression(), RequestDecompression()]
        }
        return routes
    }

    private static let count: Route.Suspending = { request in
        guard case .streaming(let body) = request.body else { return .text("0") }
        var count = 0
        for try await piece in body { count += piece.count }
        return .text("\(count)")
    }

    private static let parts: Route.Suspending = { request in
        var parts: [(head: MultipartHead, count: Int)] = []
        for try await event in try request.multipartEvents() {
            switch event {
            case .part(let head): parts.append((head, 0))
            case .data(let data): parts[parts.count - 1].count += data.count
            case .partEnded: break
            }
        }
        return .json(
            .array(
                parts.map { part in
                    .members([
                        "name": .string(part.head.name), "file": part.head.fileName.map(JSONValue.string),
                        "type": part.head.mediaType.map { .string($0.essence) }, "bytes": .integer(part.count),
                    ])
                }))
    }
}
