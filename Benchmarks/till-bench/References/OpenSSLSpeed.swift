import Foundation

/// `openssl speed ecdsap256`, the tool by which everyone compares machines and libraries.
///
/// It counts the processor time of its own loop, and leaves out what the kernel does in its name.
final class OpenSSLSpeed: Contestant {
    /// Which of the two figures counts.
    enum Figure { case signing, verifying }

    private let figure: Figure
    private let cores: Int?

    /// - Parameter cores: on how many at once, a process for each.
    init(_ figure: Figure, cores: Int? = nil) {
        self.figure = figure
        self.cores = cores
    }

    func run(seconds: Double) throws -> Rate {
        let whole = max(1, Int(seconds.rounded()))
        let output = try ChildProcess.output(
            of: "openssl",
            ["speed", "-mr", "-seconds", String(whole)] + (cores.map { ["-multi", String($0)] } ?? []) + ["ecdsap256"])
        let perSecond = try Self.parse(output, figure)
        return Rate(operations: Int(perSecond * Double(whole)), seconds: Double(whole))
    }

    /// Reads the line `+F4:index:bits:signatures per second:verifications per second`.
    static func parse(_ output: String, _ figure: Figure) throws -> Double {
        for line in output.split(separator: "\n") where line.hasPrefix("+F4:") {
            let fields = line.split(separator: ":")
            guard fields.count == 5, fields[2] == "256", let figure = Double(fields[figure == .signing ? 3 : 4]) else {
                continue
            }
            return figure
        }
        throw BenchmarkError("openssl speed printed no figure for ecdsap256; is this OpenSSL 3?")
    }
}
