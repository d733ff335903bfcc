import StoreHTTP
import StoreHTTPListener

/// Can the store listen where it is told to, with the certificate it is told to use? It is tried, and given up at once.
struct ListenerCheck {
    let name: String
    let address: ListenAddress
    let tls: TLSFiles?

    func findings() async -> [Finding] {
        let service = HTTPService([], errors: JSONErrorForm(), report: { _, _ in })
        let part = "\(name) listener"
        do {
            let listener = try HTTPListener(
                ListenerConfiguration(.tcp(address.host, port: address.port), tls: tls, threads: 1), serving: service)
            await listener.stop(within: .zero)
        } catch {
            return [.problem(part, Self.sentence(error.description), remedy: Self.remedy(error.code))]
        }
        if tls == nil && !address.isLoopback {
            return [
                .warning(
                    part, "\(address) can be reached from elsewhere, without TLS",
                    remedy: "give --tls-cert and --tls-key, or let a proxy on this machine speak TLS")
            ]
        }
        return [.ok(part, "\(address) is free\(tls == nil ? "" : ", and the certificate is good")")]
    }

    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

    private static func remedy(_ code: ListenerError.Code) -> String {
        switch code {
        case .addressInUse: "find who listens there with: ss -ltnp"
        case .identityUnreadable: "give the PEM files of a certificate chain and of its key"
        case .addressInvalid: "choose an address of this machine"
        default: "look at the message; a port below 1024 needs a privilege"
        }
    }
}
