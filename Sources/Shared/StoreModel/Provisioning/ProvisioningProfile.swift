import Foundation

/// What an app is given to know its store by, signed by the store: which app, which environment, where, which roots.
///
/// It is not a secret, and it proves nothing about who shows it: on Linux a bundle id is a claim.
public struct ProvisioningProfile: Codable, Hashable, Sendable {
    /// What ``purpose-swift.property`` says in every profile, so other payloads that a store signs cannot pass for one.
    public static let purpose = "provisioning-profile"

    /// Always ``purpose-swift.type.property``.
    public let purpose: String
    /// The app, or the apps.
    public let bundleId: BundlePattern
    /// The number of the app; absent for a wildcard.
    public let appId: AppID?
    /// The environment that the app gets to.
    public let environment: StoreEnvironment
    /// Where the store is.
    public let storeUrl: StoreAddress
    /// The roots that transactions and other JWS verify under: DER in standard Base64, newest last.
    public let jwsRoots: [String]
    /// The roots that receipts verify under.
    public let receiptRoots: [String]
    /// How often the capabilities of the app had changed; a profile with a smaller number is stale. Absent for a wildcard.
    public let capabilitiesRevision: Int?
    /// When it was signed.
    public let signedDate: Instant

    /// Makes one from its fields.
    public init(
        bundleId: BundlePattern, appId: AppID?, environment: StoreEnvironment, storeUrl: StoreAddress,
        jwsRoots: [String], receiptRoots: [String], capabilitiesRevision: Int?, signedDate: Instant
    ) {
        purpose = Self.purpose
        self.bundleId = bundleId
        self.appId = appId
        self.environment = environment
        self.storeUrl = storeUrl
        self.jwsRoots = jwsRoots
        self.receiptRoots = receiptRoots
        self.capabilitiesRevision = capabilitiesRevision
        self.signedDate = signedDate
    }

    /// Reads a profile; refuses other payloads that a store signs.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        purpose = try container.decode(String.self, forKey: .purpose)
        guard purpose == Self.purpose else {
            throw DecodingError.dataCorruptedError(
                forKey: .purpose, in: container, debugDescription: "this is no provisioning profile")
        }
        bundleId = try container.decode(BundlePattern.self, forKey: .bundleId)
        appId = try container.decodeIfPresent(AppID.self, forKey: .appId)
        environment = try container.decode(StoreEnvironment.self, forKey: .environment)
        storeUrl = try container.decode(StoreAddress.self, forKey: .storeUrl)
        jwsRoots = try container.decode([String].self, forKey: .jwsRoots)
        receiptRoots = try container.decode([String].self, forKey: .receiptRoots)
        capabilitiesRevision = try container.decodeIfPresent(Int.self, forKey: .capabilitiesRevision)
        signedDate = try container.decode(Instant.self, forKey: .signedDate)
    }

    /// Whether things can be sold with it: it is for one app.
    public var canSell: Bool { appId != nil && !bundleId.isWildcard }
}

/// Which apps a provisioning profile is for: one, or all whose bundle ids have a prefix (`com.example.*`).
public struct BundlePattern: StoreIdentifier {
    /// What it is called in errors.
    public static let subject = "bundle id of a profile"

    /// The pattern as text.
    public let text: String

    /// Reads a bundle id, or one that ends with `.*`, or `*` alone.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        if text != "*" {
            let explicit = text.hasSuffix(".*") ? String(text.dropLast(2)) : String(text)
            do {
                _ = try BundleID(parsing: explicit)
            } catch {
                throw InvalidValue(
                    error.code, subject: Self.subject, value: text, rule: "is a bundle id, or ends with .* after one")
            }
        }
        self.text = String(text)
    }

    /// The pattern as text.
    public var description: String { text }

    /// The app, if it is one.
    public var bundleID: BundleID? { isWildcard ? nil : BundleID(text) }

    /// Whether it is for many apps. Such a profile is valid, but does not allow selling.
    public var isWildcard: Bool { text.hasSuffix("*") }

    /// Whether an app is among those meant.
    public func matches(_ bundleID: BundleID) -> Bool {
        isWildcard ? bundleID.text.hasPrefix(text.dropLast()) : bundleID.text == text
    }
}

/// Where a store is reached: a scheme, a host, perhaps a port, and nothing more, as every path is the store's own.
public struct StoreAddress: StoreIdentifier {
    /// What it is called in errors.
    public static let subject = "store address"
    /// The most characters it can have.
    public static let longest = 300

    /// The address without a slash at its end.
    public let description: String
    /// Whether the connection is private: by `https`, or within the machine.
    public let isPrivate: Bool
    /// The name or numeric address in it.
    package let host: String

    /// Reads `http://…` or `https://…`; a slash at the end is left out.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        let address = text.hasSuffix("/") ? String(text.dropLast()) : String(text)
        guard address.utf8.count <= Self.longest, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: address), let scheme = parts.scheme, ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.path.isEmpty,
            parts.query == nil, parts.fragment == nil, parts.port.map({ (1...65535).contains($0) }) ?? true
        else {
            throw InvalidValue(
                subject: Self.subject, value: text, rule: "is http:// or https://, a host, perhaps a port, and no path")
        }
        description = address
        self.host = host
        isPrivate = scheme == "https" || Self.isLoopback(host)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
