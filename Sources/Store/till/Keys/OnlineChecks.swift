import CommandOptions
import Foundation
import StoreModel
import StoreServer
import StoreSigning

/// Where verifiers ask whether the certificates of a store still count, which stands in the certificates.
struct OnlineChecks: Sendable {
    static let listen = Option<ListenAddress?>.optional(
        "ocsp-listen", ListenAddress.format, environment: "TILL_OCSP_LISTEN",
        help:
            "Where online checks of certificates are answered over plain HTTP, beside both listeners. Without it none are "
            + "where the store itself speaks TLS.")

    static let url = Option<PublicURL?>.optional(
        "ocsp-url",
        ValueFormat(
            "URL", rule: "an address with http://, perhaps a port, and no path", describe: { $0.description },
            parse: { text in PublicURL(text).flatMap { $0.address.isPlain ? $0 : nil } }),
        environment: "TILL_OCSP_URL",
        help: "Where the world asks about certificates, if not at the public URLs.")

    /// The options of `till serve` that decide it, for commands that are told the same.
    static let options: [any OptionDeclaration] = [
        ServeOptions.listen, ServeOptions.sandboxListen, ServeOptions.publicURL, ServeOptions.sandboxPublicURL, listen,
        url, ServeOptions.certificate, ServeOptions.key,
    ]

    let listen: ListenAddress?
    let url: PublicURL?

    init(listen: ListenAddress?, url: PublicURL?) {
        self.listen = listen
        self.url = url
    }

    init(_ arguments: ParsedArguments) {
        self.init(listen: arguments[Self.listen], url: arguments[Self.url])
    }

    /// The address for each environment; none for one that nobody can ask over plain HTTP.
    ///
    /// - Parameters:
    ///   - publicAddress: where the world reaches an environment.
    ///   - port: that of ``listen``, if it is known.
    ///   - speaksTLS: whether the store itself does; else a proxy may, which has a port for plain HTTP.
    func addresses(
        _ publicAddress: (StoreEnvironment) -> StoreAddress?, port: Int?, speaksTLS: Bool
    ) -> [StoreEnvironment: String] {
        StoreEnvironment.allCases.reduce(into: [:]) { addresses, environment in
            guard let place = place(publicAddress(environment), port, speaksTLS) else { return }
            addresses[environment] = place + OnlineCheckRoutes.path(of: environment)
        }
    }

    private func place(_ publicAddress: StoreAddress?, _ port: Int?, _ speaksTLS: Bool) -> String? {
        if let url { return url.description }
        guard let publicAddress else { return nil }
        let name = publicAddress.host.contains(":") && !publicAddress.host.hasPrefix("[")
        let host = name ? "[\(publicAddress.host)]" : publicAddress.host
        if listen != nil { return port.map { $0 == 80 ? "http://\(host)" : "http://\(host):\($0)" } }
        if publicAddress.isPlain { return publicAddress.description }
        return speaksTLS ? nil : "http://\(host)"
    }

    /// What mends certificates that name another address than that of their store.
    static func remedy(_ environment: StoreEnvironment) -> String {
        "till keys rotate --environment \(environment.rawValue) --purpose jws --from intermediate"
    }

    /// The addresses by the settings of a store that does not run, as far as they say.
    static func configured(_ arguments: ParsedArguments) -> [StoreEnvironment: String] {
        let checks = OnlineChecks(arguments)
        let tls = ServeOptions.tls(arguments)
        func address(_ environment: StoreEnvironment) -> StoreAddress? {
            let (url, listen) =
                switch environment {
                case .production: (arguments[ServeOptions.publicURL], arguments[ServeOptions.listen])
                case .sandbox: (arguments[ServeOptions.sandboxPublicURL], arguments[ServeOptions.sandboxListen])
                }
            if let url { return url.address }
            return listen.port == 0 ? nil : StoreAddress("\(tls == nil ? "http" : "https")://\(listen)")
        }
        return checks.addresses(
            address, port: checks.listen.flatMap { $0.port == 0 ? nil : $0.port }, speaksTLS: tls != nil)
    }

    /// Whether the settings say anything of these addresses.
    static func isConfigured(_ arguments: ParsedArguments) -> Bool {
        arguments[url] != nil || arguments[listen] != nil || arguments[ServeOptions.publicURL] != nil
            || arguments[ServeOptions.sandboxPublicURL] != nil
            || [ServeOptions.listen, ServeOptions.sandboxListen].contains { arguments.source(of: $0) != .declaration }
    }

    /// The addresses that a running store has; nil if none runs.
    static func running(_ directory: DataDirectory) async throws -> [StoreEnvironment: String]? {
        // The lock of a folder that was never served is not made for this.
        guard access("\(directory.path)/\(directory.adminSocketName)", F_OK) == 0,
            let store = try await AdminConnection.ofRunning(directory)
        else { return nil }
        let status: AdminStatus
        do {
            status = try await store.ask("GET", "/admin/v1/status", as: AdminStatus.self)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return StoreEnvironment.allCases.reduce(into: [:]) { $0[$1] = status.onlineChecks?[$1.rawValue] }
    }
}

extension StoreAddress {
    /// Whether it is reached without TLS.
    fileprivate var isPlain: Bool { description.hasPrefix("http://") }
}
