import StoreHTTP

/// Reads the responses that a raw client receives, one after the other.
final class ResponseReader {
    struct Response: Sendable {
        let status: Int
        let fields: HTTPFields
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        var closes: Bool { fields["Connection"] == "close" }
    }

    private let client: RawClient
    private var unread: [UInt8] = []

    init(_ client: RawClient) {
        self.client = client
    }

    /// The next final response; nil at the end of the connection.
    func next(toHead: Bool = false) -> Response? {
        guard let head = take(until: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1]) else {
            return nil
        }
        if status == 100 { return next(toHead: toHead) }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            fields.add(String(sides[0]), sides.count == 2 ? String(sides[1].drop { $0 == " " }) : "")
        }
        guard let body = body(fields, hasNone: toHead || status == 204 || status == 304) else { return nil }
        return Response(status: status, fields: fields, body: body)
    }

    private func body(_ fields: HTTPFields, hasNone: Bool) -> [UInt8]? {
        if hasNone { return [] }
        if let length = fields["Content-Length"].flatMap({ Int($0) }) { return take(length) }
        if fields["Transfer-Encoding"] == "chunked" {
            var body: [UInt8] = []
            while let line = take(until: [13, 10]), let size = Int(String(decoding: line, as: UTF8.self), radix: 16) {
                guard size > 0 else { return take(until: [13, 10]) == [] ? body : nil }
                guard let piece = take(size), take(2) == [13, 10] else { return nil }
                body += piece
            }
            return nil
        }
        defer { unread = [] }
        return unread + client.receiveAll()
    }

    private func take(_ count: Int) -> [UInt8]? {
        while unread.count < count {
            guard more() else { return nil }
        }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private func take(until mark: [UInt8]) -> [UInt8]? {
        var searched = 0
        while true {
            while searched + mark.count <= unread.count {
                if unread[searched..<searched + mark.count].elementsEqual(mark) {
                    defer { unread.removeFirst(searched + mark.count) }
                    return Array(unread.prefix(searched))
                }
                searched += 1
            }
            guard more() else { return nil }
        }
    }

    private func more() -> Bool {
        let some = client.receive()
        unread += some
        return !some.isEmpty
    }
}
