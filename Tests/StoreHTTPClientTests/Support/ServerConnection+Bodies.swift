import TestSupport

extension ServerConnection {
    /// A body in chunks, put together.
    func readChunks() -> [UInt8] {
        var body: [UInt8] = []
        while let length = readLine().flatMap({ Int($0, radix: 16) }) {
            guard let piece = read(length), readLine() == "" else { return [] }
            if length == 0 { return body }
            body += piece
        }
        return []
    }

    private func readLine() -> String? {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) {
            guard let byte = read(1) else { return nil }
            line += byte
        }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    func answer(_ body: [UInt8]) { answer("200 OK", body) }
}

/// Bytes that look like nothing, the same in every run.
enum SplitMix64Bytes {
    static func make(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return random.bytes(count)
    }
}
