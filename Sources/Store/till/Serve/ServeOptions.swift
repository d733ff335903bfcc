import CommandOptions
import Foundation
import StoreHTTPListener
import StoreLog
import StoreModel

/// The options of `till serve`. Each is a setting: command line, variable, settings file, default, in this order.
enum ServeOptions {
    static let listen = Option<ListenAddress>.defaulted(
        "listen", ListenAddress.format, to: .loopback(port: 8080),
        environment: "TILL_LISTEN", help: "Where production listens.")

    static let sandboxListen = Option<ListenAddress>.defaulted(
        "sandbox-listen", ListenAddress.format, to: .loopback(port: 8081),
        environment: "TILL_SANDBOX_LISTEN", help: "Where the sandbox listens.")

    static let publicURL = Option<PublicURL?>.optional(
        "public-url", PublicURL.format, environment: "TILL_PUBLIC_URL",
        help: "Where the world reaches production, if not at its own address.")

    static let sandboxPublicURL = Option<PublicURL?>.optional(
        "sandbox-public-url", PublicURL.format, environment: "TILL_SANDBOX_PUBLIC_URL",
        help: "Where the world reaches the sandbox, if not at its own address.")

    static let certificate = Option<String?>.optional(
        "tls-cert", .file(), environment: "TILL_TLS_CERT",
        help: "The certificate chain of both listeners, in PEM. SIGHUP reads it again.")

    static let key = Option<String?>.optional(
        "tls-key", .file(), environment: "TILL_TLS_KEY", help: "The private key of that certificate, in PEM.")

    static let logFormat = Option<LogFormat>.defaulted(
        "log-format", .choice("FORMAT", of: LogFormat.self), to: .text, environment: "TILL_LOG_FORMAT",
        help: "How the log is written to standard error; json also makes one line of the addresses.")

    static let logLevel = Option<LogLevel>.defaulted(
        "log-level", .choice("LEVEL", of: LogLevel.self), to: .info, environment: "TILL_LOG_LEVEL",
        help: "The least level that is logged.")

    static let productionProcessor = Option<ProductionProcessor>.defaulted(
        "production-processor", .choice("PROCESSOR", of: ProductionProcessor.self), to: .none,
        environment: "TILL_PRODUCTION_PROCESSOR",
        help: "Who moves the money of production. Without one it cannot sell; test only looks as if money moved.")

    static let drainSeconds = Option<Int>.defaulted(
        "drain-seconds", .integer("SECONDS", in: 0...600), to: 25, environment: "TILL_DRAIN_SECONDS",
        help: "How long requests may take to end after SIGTERM.")

    static let commission = Option<Proportion>.defaulted(
        "commission",
        ValueFormat(
            "PERCENT", rule: "a percentage from 0 to 100 with at most three digits after the point, such as 15 or 2.5",
            describe: { Self.percentage($0) }, parse: { Self.proportion($0) }),
        to: Self.standardCommission, environment: "TILL_COMMISSION",
        help: "What the store keeps of every price. It holds for sales from now on.")

    // Safe: 30 thousand thousandths of a percent lie between nothing and all.
    private static let standardCommission = try! Proportion(percentMilliunits: 30_000)

    private static func percentage(_ proportion: Proportion) -> String {
        let thousandths = proportion.percentMilliunits ?? 0
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(thousandths / 1000).\(digits)"
    }

    private static func proportion(_ text: String) -> Proportion? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? String(parts[1]) : ""
        guard parts[0].count <= 3, fraction.count <= 3,
            (parts + [Substring(fraction)]).allSatisfy({ $0.allSatisfy(\.isNumber) }),
            parts.count == 1 || !fraction.isEmpty, let whole = Int64(parts[0]),
            let rest = Int64(fraction.padding(toLength: 3, withPad: "0", startingAt: 0))
        else { return nil }
        return try? Proportion(percentMilliunits: whole * 1000 + rest)
    }

    static let demo = Option<Bool>.flag(
        "demo", environment: "TILL_DEMO", help: "Enter the app MonkeyCredits with its products, if it is not there.")

    /// A certificate is nothing without its key.
    static let rules: [OptionRule] = [.option(certificate, needs: key), .option(key, needs: certificate)]

    /// The files of the certificate and key, if they are given.
    static func tls(_ arguments: ParsedArguments) -> TLSFiles? {
        guard let certificate = arguments[certificate], let key = arguments[key] else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }
}
