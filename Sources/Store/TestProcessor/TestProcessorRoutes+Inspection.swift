package import StoreHTTP
import StoreModel

/// What tests and operators look at, and what they make go wrong.
extension TestProcessorRoutes {
    var inspection: [Route] {
        let processor = processor
        return [
            .get(
                "/v1/lookup",
                suspending: { request in
                    guard let key = request.target.query["key"] else {
                        throw APIError(.badRequest, code: "value_missing", "Name the key: ?key=…", parameter: "key")
                    }
                    return .json(ProcessorAnswer(try await processor.lookup(key)).json)
                }),
            .get(
                "/v1/log",
                suspending: { request in
                    let after = try Self.number("after", in: 0...Int.max, or: 0, request)
                    let limit = try Self.number(
                        "limit", in: 1...TestProcessorLimits.page, or: TestProcessorLimits.page, request)
                    let (page, last) = try await processor.read { processor in
                        (processor.records(after: after, limit: limit), processor.count)
                    }
                    return .json(.members(["records": .array(page.map(\.json)), "last": .integer(last)]))
                }),
            .post(
                "/v1/records", body: .collected(limit: TestProcessorLimits.keysBytes),
                suspending: { request in
                    let keys = try request.decode(Keys.self).keys
                    let found = try await processor.read { processor in
                        keys.compactMap { processor.number(of: $0).flatMap { processor[$0] } }
                    }
                    return .json(.members(["records": .array(found.map(\.json))]))
                }),
            .get(
                "/v1/totals",
                suspending: { _ in
                    let totals = try await processor.read { $0.totals }
                    return .json(totals.json)
                }),
            .get("/v1/identity") { _ in .json(.members(["id": .string(processor.identity)])) },
            .get("/v1/methods") { _ in
                .json(
                    .array(
                        TestPaymentMethod.all.map {
                            .members(["token": .string($0.token), "title": .string($0.title)])
                        }))
            },
        ]
    }

    /// The calls that are asked for.
    private struct Keys: Decodable {
        let keys: [String]
    }

    var scripts: [Route] {
        let processor = processor
        return [
            .get("/v1/scripts") { _ in try .json(processor.script { $0.scripts }) },
            .post("/v1/scripts", body: .collected(limit: TestProcessorLimits.bodyBytes)) { request in
                let script = try request.decode(TestProcessorScript.self)
                do throws(TestProcessorRefusal) {
                    try processor.script { processor throws(TestProcessorRefusal) in try processor.add(script) }
                } catch {
                    throw APIError(error)
                }
                return HTTPResponse(.noContent)
            },
            .delete("/v1/scripts") { _ in
                try processor.script { $0.removeScripts() }
                return HTTPResponse(.noContent)
            },
        ]
    }

    private static func number(
        _ name: String, in range: ClosedRange<Int>, or value: Int, _ request: HTTPRequest
    ) throws(APIError) -> Int {
        guard let text = request.target.query[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw APIError(
                .badRequest, code: "value_invalid", "\(name) is a whole number from \(range.lowerBound) on.",
                parameter: name)
        }
        return number
    }
}

extension TestProcessorTotals {
    /// The sums in minor units, by currency.
    package var json: JSONValue {
        .object(
            sums.sorted { $0.key.code < $1.key.code }.map { currency, sums in
                JSONValue.Member(
                    currency.code,
                    .members([
                        "captured": .integer(Int(clamping: sums.captured)),
                        "refunded": .integer(Int(clamping: sums.refunded)),
                    ]))
            })
    }
}
