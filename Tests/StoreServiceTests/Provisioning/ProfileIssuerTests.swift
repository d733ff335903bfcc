import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite("Provisioning profiles", .bounded)
struct ProfileIssuerTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_795_000_000_000)

    private static func issue(
        _ pattern: String, _ environment: StoreEnvironment = .sandbox, at address: String? = "http://127.0.0.1:8081",
        instead other: String? = nil
    ) async throws -> String {
        try await StoreEngine.memory.withStore { store in
            _ = try await CatalogueSample.make(in: store.catalogue)
            let issuer = ProfileIssuer(
                environment, at: { address.flatMap { StoreAddress($0) } }, keys: { try SampleKeys.of(environment) })
            return try await issuer.profile(
                for: BundlePattern(parsing: pattern), at: other.map { try StoreAddress(parsing: $0) },
                in: store.catalogue, now: now)
        }
    }

    private static func read(_ profile: String, _ environment: StoreEnvironment = .sandbox) throws
        -> ProvisioningProfile
    {
        try SampleKeys.of(environment).jwsVerifier().verify(profile).decode(ProvisioningProfile.self)
    }

    private static func refusal(_ body: () async throws -> String) async throws -> String? {
        do {
            _ = try await body()
            return nil
        } catch let error as CatalogueError {
            return error.parameter
        }
    }

    @Test("A profile says which app, which environment, where and which roots", arguments: StoreEnvironment.allCases)
    func content(environment: StoreEnvironment) async throws {
        let profile = try Self.read(await Self.issue("com.example.app", environment), environment)
        #expect(profile.bundleId.text == "com.example.app" && profile.appId?.number == 1)
        #expect(profile.environment == environment && profile.canSell)
        #expect(profile.storeUrl.description == "http://127.0.0.1:8081")
        #expect(profile.signedDate == Self.now && profile.capabilitiesRevision == 1)
        let keys = try SampleKeys.of(environment)
        #expect(profile.jwsRoots.map { Base64.decode($0) } == keys.roots[.jws]?.map(\.derRepresentation))
        #expect(profile.receiptRoots.map { Base64.decode($0) } == keys.roots[.receipt]?.map(\.derRepresentation))
    }

    @Test("What it is signed with verifies under the roots that it names")
    func roots() async throws {
        let text = try await Self.issue("com.example.app")
        let named = try Self.read(text).jwsRoots.map { root in
            try Certificate(derRepresentation: #require(Base64.decode(root)))
        }
        _ = try JWSVerifier(roots: named).verify(text)
        #expect(throws: SigningError.self) { try SampleKeys.of(.production).jwsVerifier().verify(text) }
        #expect(throws: SigningError.self) { try SampleKeys.ofAnotherStore(.sandbox).jwsVerifier().verify(text) }
    }

    @Test(
        "A profile is judged by the environment that it says, whoever signed it", arguments: StoreEnvironment.allCases)
    func environment(says environment: StoreEnvironment) async throws {
        let profile = try await Self.issue("com.example.app", environment)
        let verifier = try SampleKeys.of(environment).jwsVerifier()
        let bundle = try BundleID(parsing: "com.example.app")
        for other in StoreEnvironment.allCases {
            let judge = ProfileJudge(other, verifier: verifier)
            if other == environment {
                #expect(try judge.revision(of: profile, for: bundle) == 1)
            } else {
                let error = #expect(throws: ServiceError.self) { try judge.revision(of: profile, for: bundle) }
                #expect(error?.code == .registrationRefused)
            }
        }
    }

    @Test("R1.9: A wildcard is valid and cannot sell")
    func wildcard() async throws {
        let profile = try Self.read(await Self.issue("com.example.*"))
        #expect(!profile.canSell && profile.appId == nil && profile.capabilitiesRevision == nil)
        #expect(try profile.bundleId.matches(BundleID(parsing: "com.example.app")))
    }

    @Test("Production is reached by https or on the machine itself, the sandbox anywhere")
    func addresses() async throws {
        let issue = { (environment: StoreEnvironment, address: String) in
            try await Self.refusal { try await Self.issue("com.example.app", environment, instead: address) }
        }
        #expect(try await issue(.production, "http://store.example.com") == "storeUrl")
        #expect(try await issue(.production, "https://store.example.com") == nil)
        #expect(try await issue(.production, "http://127.0.0.1:9") == nil)
        #expect(try await issue(.sandbox, "http://store.example.com") == nil)
        #expect(try await Self.refusal { try await Self.issue("com.example.app", at: nil) } == "storeUrl")
    }

    @Test("There is no profile for an app that there is not")
    func unknown() async throws {
        #expect(try await Self.refusal { try await Self.issue("com.example.none") } == "bundleId")
    }

    @Test("Nothing else that a store signs is a profile, and a profile is nothing else")
    func purpose() async throws {
        let keys = try SampleKeys.of(.sandbox)
        let text = try await Self.issue("com.example.app")
        let verified = try keys.jwsVerifier().verify(text)
        #expect(throws: (any Error).self) { try verified.decode(TransactionPayload.self) }
        #expect(throws: (any Error).self) { try verified.decode(AppTransactionPayload.self) }
        var members = try #require(JSONSerialization.jsonObject(with: Data(verified.payload)) as? [String: Any])
        for purpose in [nil, "transaction"] {
            members["purpose"] = purpose
            let other = try keys.jwsSigner().sign(JSONSerialization.data(withJSONObject: members), at: Self.now)
            let payload = try keys.jwsVerifier().verify(other)
            #expect(throws: DecodingError.self) { try payload.decode(ProvisioningProfile.self) }
        }
    }
}
