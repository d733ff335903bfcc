import CommandOptions
import StoreHTTPListener
import StoreLog

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

    static let drainSeconds = Option<Int>.defaulted(
        "drain-seconds", .integer("SECONDS", in: 0...600), to: 25, environment: "TILL_DRAIN_SECONDS",
        help: "How long requests may take to end after SIGTERM.")

    /// A certificate is nothing without its key.
    static let rules: [OptionRule] = [.option(certificate, needs: key), .option(key, needs: certificate)]

    /// The files of the certificate and key, if they are given.
    static func tls(_ arguments: ParsedArguments) -> TLSFiles? {
        guard let certificate = arguments[certificate], let key = arguments[key] else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }
}
