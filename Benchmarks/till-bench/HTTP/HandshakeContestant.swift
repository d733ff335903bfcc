import Foundation

/// `openssl s_time` against a server: new connections of TLS, none of them resumed, from several clients at once.
final class HandshakeContestant: Contestant {
    private static let clients = 4

    private let server: ServerProcess

    init(_ server: ServerProcess) {
        self.server = server
    }

    func run(seconds: Double) throws -> Rate {
        let whole = max(1, Int(seconds.rounded()))
        let arguments = ["s_time", "-connect", "127.0.0.1:\(server.port)", "-new", "-time", String(whole)]
        let clients = try (0..<Self.clients).map { _ in
            let process = ChildProcess.make("openssl", arguments)
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            return (process, output)
        }
        var total = 0.0
        for (process, output) in clients {
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            total += try Self.perSecond(in: String(decoding: data, as: UTF8.self))
        }
        return Rate(operations: Int(total * Double(whole)), seconds: Double(whole))
    }

    /// Reads the line `1234 connections in 2 real seconds, 0 bytes read per connection`: the seconds are rounded up.
    static func perSecond(in text: String) throws -> Double {
        guard let match = text.firstMatch(of: /(\d+) connections in (\d+) real seconds/), let count = Double(match.1),
            let seconds = Double(match.2), count > 0, seconds > 0
        else { throw BenchmarkError("openssl s_time made no connections:\n\(text)") }
        return count / seconds
    }
}
