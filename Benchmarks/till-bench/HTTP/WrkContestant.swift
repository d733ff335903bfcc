import Foundation

/// wrk against a server: its requests, or the bytes it got. It shares the cores with the server.
final class WrkContestant: Contestant {
    enum Figure {
        // Closed: what wrk tells.
        case requests, bytes
        /// How long all but a hundredth of the requests took at most: the seconds of one operation.
        case slowest
    }

    /// How long it takes at least to see a hundred requests that may take 50 ms each.
    private static let secondsForSlowest = 10

    private let server: ServerProcess
    private let path: String
    private let clients: Int
    private let fields: [String]
    private let figure: Figure
    private let bodies: String?
    private let paths: String?

    /// - Parameters:
    ///   - bodies: the file whose lines are sent in turn, by `POST`.
    ///   - paths: the file whose lines are asked for in turn, in the place of the path.
    init(
        _ server: ServerProcess, _ path: String, clients: Int, fields: [String] = [], figure: Figure = .requests,
        bodies: String? = nil, paths: String? = nil
    ) {
        self.server = server
        self.path = path
        self.clients = clients
        self.fields = fields
        self.figure = figure
        self.bodies = bodies
        self.paths = paths
    }

    func run(seconds: Double) throws -> Rate {
        let whole = max(figure == .slowest ? Self.secondsForSlowest : 1, Int(seconds.rounded()))
        // With many clients a large file takes each of them longer than wrk would wait by itself.
        var arguments = ["-t1", "-c\(clients)", "-d\(whole)s", "--timeout", "60s"]
        for field in fields { arguments += ["-H", field] }
        if figure == .slowest { arguments.append("--latency") }
        let lines = bodies ?? paths
        if lines != nil { arguments += ["-s", try Self.script(bodies == nil ? "get_paths" : "post_bodies")] }
        arguments.append("http://127.0.0.1:\(server.port)\(path)")
        if let lines { arguments += ["--", lines] }
        let text = try ChildProcess.output(of: "wrk", arguments)
        return try Self.rate(in: text, figure)
    }

    /// Reads the line `99%   12.34ms`.
    private static func slowest(in text: String) throws -> Double {
        guard let match = text.firstMatch(of: /99%\s+([\d.]+)(us|ms|s)/), let time = Double(match.1) else {
            throw BenchmarkError("wrk tells no latency:\n\(text)")
        }
        return time * (match.2 == "s" ? 1 : match.2 == "ms" ? 1e-3 : 1e-6)
    }

    private static func script(_ name: String) throws -> String {
        guard let path = Bundle.module.path(forResource: name, ofType: "lua") else {
            throw BenchmarkError("the script \(name).lua is not among the benchmark's resources")
        }
        return path
    }

    private static let units: [String: Double] = [
        "K": 1024, "M": 1_048_576, "G": 1_073_741_824, "T": 1_099_511_627_776,
    ]

    /// Reads the line `1234 requests in 1.00s, 5.67MB read`.
    static func rate(in text: String, _ figure: Figure) throws -> Rate {
        guard !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let match = text.firstMatch(of: /(\d+) requests in ([\d.]+)(m?s|m), ([\d.]+)([KMGT]?)B read/),
            let requests = Int(match.1), let time = Double(match.2), let amount = Double(match.4)
        else { throw BenchmarkError("wrk had errors or printed no figures:\n\(text)") }
        if figure == .slowest { return Rate(operations: 1, seconds: try slowest(in: text)) }
        let seconds = time * (match.3 == "s" ? 1 : match.3 == "m" ? 60 : 0.001)
        let bytes = amount * (units[String(match.5)] ?? 1)
        return Rate(operations: figure == .requests ? requests : Int(bytes), seconds: seconds)
    }
}
