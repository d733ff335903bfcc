import CLinux
import Foundation
import StoreHTTP
import StoreHTTPListener
import StoreModel
import StoreRules
import StoreService
import StoreSigning

/// Is the clock right? Receipts are dated and certificates checked by it.
struct ClockCheck {
    let now: Instant
    /// Whether the system synchronizes its clock; nil if unknown.
    let isSynchronized: Bool?
    /// When something in the data directory was last written.
    let lastWrite: Instant?

    func findings() -> [Finding] {
        if let lastWrite, lastWrite > now.adding(milliseconds: Self.toleranceMilliseconds) {
            return [
                .problem(
                    "clock", "it says \(now), but the store was last written at \(lastWrite)",
                    remedy: "set the clock; what is sold now would be dated before what was sold then")
            ]
        }
        if isSynchronized == false {
            return [
                .warning(
                    "clock", "it says \(now) and is not kept by a time server",
                    remedy: "switch synchronisation on, for example with: timedatectl set-ntp true")
            ]
        }
        return [.ok("clock", "it says \(now)")]
    }

    static let toleranceMilliseconds: Int64 = 60_000

    /// The state of the kernel's clock.
    static var systemIsSynchronized: Bool? {
        let answer = till_clock_is_synchronized()
        return answer < 0 ? nil : answer == 1
    }

    /// The newest time of a change to the databases.
    static func lastWrite(in directory: DataDirectory) -> Instant? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.databasesPath)) ?? []
        let times = names.compactMap { name -> Int64? in
            var status = stat()
            guard stat("\(directory.databasesPath)/\(name)", &status) == 0 else { return nil }
            return Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        }
        return times.max().map { Instant(millisecondsSinceEpoch: $0) }
    }
}

/// Does the system have the time zone of the Pacific, in which receipts have some of their dates?
struct TimeZoneCheck {
    /// Finds a time zone by name, as the system does.
    let zone: (String) -> TimeZone?

    /// An instant in seconds, and the offset of the Pacific at that time in hours.
    private static let known: [(seconds: Double, hours: Int)] = [
        (1_704_067_200, 8),  // 2024-01-01
        (1_720_000_000, 7),  // 2024-07-03
        (1_710_064_799, 8),  // the last second before the change of 2024-03-10
        (1_710_064_800, 7),
        (1_730_624_399, 7),  // the last second before the change of 2024-11-03
        (1_730_624_400, 8),
    ]

    func findings() -> [Finding] {
        let name = "America/Los_Angeles"
        let remedy = "install the package tzdata"
        guard let zone = zone(name) else {
            return [.problem("time zones", "the system does not know \(name)", remedy: remedy)]
        }
        let isRight = Self.known.allSatisfy { known in
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: known.seconds)) == -known.hours * 3600
        }
        return isRight
            ? [.ok("time zones", "the system knows the clock changes of \(name)")]
            : [.problem("time zones", "the system is wrong about the clock changes of \(name)", remedy: remedy)]
    }
}

/// How many files and connections may the store have open at once?
struct LimitsCheck {
    let openFiles: Int

    func findings() -> [Finding] {
        let connections = ConnectionPlaces(openFiles: openFiles).total
        guard openFiles < Self.enough else {
            return [.ok("open files", "\(openFiles) may be open at once: room for \(connections) connections")]
        }
        return [
            .warning(
                "open files",
                "only \(openFiles) may be open at once, so that the store takes \(connections) connections; half of them "
                    + "are shared out to production and the sandbox, further ones are answered with 503",
                remedy: Self.remedy)
        ]
    }

    static let enough = 4096
    static let remedy = "raise the hard limit: ulimit -Hn 65536 as root, or LimitNOFILE=65536 in a systemd unit"
}

/// The connections that a store takes: what is left of the descriptors that it may have.
struct ConnectionPlaces {
    /// For databases, the processor, the admin socket, `/proc` and the runtime, and for a few notifications.
    static let reserve = 256
    /// For notifications of both environments, where there are descriptors enough.
    static let notifications = 2 * NotificationLimits.attempts.all
    static let most = 20_000

    let total: Int

    init(openFiles: Int) {
        let reserve = Self.reserve + (openFiles < LimitsCheck.enough ? 0 : Self.notifications)
        total = min(Self.most, max(openFiles - reserve, openFiles / 2))
    }
}

/// Can the store listen at the configured addresses, with the configured certificate? It is tried, and closed at once.
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

/// Is the certificate of the listeners valid for a while?
struct TLSCheck {
    /// The file of the chain.
    let path: String
    let now: Instant

    func findings() -> [Finding] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), let certificate = Self.first(in: text)
        else {
            return [
                .problem(
                    "TLS certificate", "\(path) is no certificate in PEM", remedy: "give the chain as PEM, leaf first")
            ]
        }
        let day = certificate.notAfter.rfc3339.prefix(10)
        let remedy = "renew it, then send the store SIGHUP"
        if certificate.notAfter <= now {
            return [.problem("TLS certificate", "it ended on \(day)", remedy: remedy)]
        }
        if certificate.notBefore > now {
            let start = certificate.notBefore.rfc3339.prefix(10)
            return [.problem("TLS certificate", "it begins on \(start)", remedy: "check the clock, or wait")]
        }
        if certificate.notAfter <= now.adding(milliseconds: Self.noticeMilliseconds) {
            return [.warning("TLS certificate", "it ends on \(day)", remedy: remedy)]
        }
        return [.ok("TLS certificate", "it is good until \(day)")]
    }

    /// Certificates of today are renewed a month before their end, or shorter ones more often.
    private static let noticeMilliseconds: Int64 = 14 * 24 * 60 * 60 * 1000

    private static func first(in text: String) -> Certificate? {
        guard let start = text.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = text.range(of: "-----END CERTIFICATE-----", range: start.upperBound..<text.endIndex),
            let der = Data(
                base64Encoded: String(text[start.upperBound..<end.lowerBound]), options: .ignoreUnknownCharacters)
        else { return nil }
        return try? Certificate(derRepresentation: Array(der))
    }
}
