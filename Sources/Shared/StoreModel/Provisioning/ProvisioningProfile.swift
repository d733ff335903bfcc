/// What an app is given to know its store by, signed by the store: which app, which environment, where, which roots.
///
/// It is not a secret, and it proves nothing about who shows it: on Linux a bundle id is a claim.
public struct ProvisioningProfile: Codable, Hashable, Sendable {
    /// What ``purpose-swift.property`` says in every profile, so that nothing else that a store signs can be taken for one.
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

    /// Reads a profile, and nothing else that a store signs.
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
