import StoreHTTP
import Synchronization

/// A server of one file that can be told to be wrong about it.
final class FileHost: Sendable {
    struct File: Sendable {
        var bytes: [UInt8]
        var entityTag: String? = "\"1\""
        var lastModified: String?
        /// Whether it understands ranges.
        var hasRanges = true
        /// Answers a range with this instead of the right words.
        var contentRange: String?
        /// Sends so many bytes of a body, then closes.
        var cut: Int?
        /// Whether the length is told.
        var isMeasured = true
        /// Answers with this instead.
        var status: String?
        var fields: [String] = []
    }

    private let file: Mutex<File>
    private let requests = Collected<String>()

    init(_ file: File) {
        self.file = Mutex(file)
    }

    /// The heads of all requests.
    var heads: [String] { requests.all }

    /// The ranges that were asked for, in order; nothing for the whole.
    var ranges: [String?] { heads.map { Self.field("Range", in: $0) } }

    func change(_ body: @Sendable (inout File) -> Void) { file.withLock { body(&$0) } }

    func wait(forRequests count: Int) async { await requests.wait(for: count) }

    func serve(_ connection: ServerConnection) {
        while let head = connection.readHead() {
            requests.append(head)
            guard answer(head, file.withLock { $0 }, connection) else { return }
        }
    }

    private func answer(_ head: String, _ file: File, _ connection: ServerConnection) -> Bool {
        var fields = file.fields + ["Date: Sun, 22 Nov 2026 00:00:00 GMT"]
        if let tag = file.entityTag { fields.append("ETag: \(tag)") }
        if let date = file.lastModified { fields.append("Last-Modified: \(date)") }
        if let status = file.status {
            connection.answer(status, fields: fields, Array("sorry".utf8))
            return true
        }
        let start = Self.field("Range", in: head).flatMap { Int($0.dropFirst(6).dropLast()) }
        let condition = Self.field("If-Range", in: head)
        let isSame = condition == nil || condition == file.entityTag || condition == file.lastModified
        guard let start, file.hasRanges, isSame else { return send(file, "200 OK", fields, file.bytes, connection) }
        guard start < file.bytes.count else {
            connection.answer("416 Beyond", fields: fields + ["Content-Range: bytes */\(file.bytes.count)"])
            return true
        }
        let range = file.contentRange ?? "bytes \(start)-\(file.bytes.count - 1)/\(file.bytes.count)"
        return send(
            file, "206 Part", fields + ["Content-Range: \(range)"], Array(file.bytes[start...]), connection)
    }

    private func send(
        _ file: File, _ status: String, _ fields: [String], _ body: [UInt8], _ connection: ServerConnection
    ) -> Bool {
        let lines = ["HTTP/1.1 \(status)"] + (file.isMeasured ? ["Content-Length: \(body.count)"] : []) + fields
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard let cut = file.cut, cut < body.count else {
            connection.write(head + body)
            return file.isMeasured
        }
        connection.write(head + body.prefix(cut))
        return false
    }

    private static func field(_ name: String, in head: String) -> String? {
        head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
}
