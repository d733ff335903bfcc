import Foundation
import StoreBackend
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@Suite struct NotificationVerifierTests {
    private static let id = "00000000-0000-4000-8000-0000000000aa"

    /// A notification, as the store of an environment signs it.
    private static func signed(
        _ environment: StoreEnvironment = .sandbox, type: NotificationType = .didRenew, by keys: EnvironmentKeys? = nil,
        changing change: (inout NotificationData) throws -> Void = { _ in }
    ) throws -> String {
        let keys = try keys ?? SampleKeys.of(environment)
        var data = try NotificationData(
            bundleId: SampleProofs.bundleID(), environment: WireEnvironment(environment),
            signedTransactionInfo: SampleProofs.signed(SampleProofs.transaction(environment), by: keys),
            signedRenewalInfo: keys.jwsSigner().sign(encoding: renewal(environment), at: SampleProofs.receiptAt))
        try change(&data)
        let payload = try NotificationPayload(
            notificationType: type, notificationUUID: NotificationID(parsing: id), signedDate: SampleProofs.receiptAt,
            data: data)
        return try keys.jwsSigner().sign(encoding: payload, at: SampleProofs.receiptAt)
    }

    private static func renewal(_ environment: StoreEnvironment) throws -> RenewalInfoPayload {
        let transaction = try SampleProofs.transaction(environment)
        return RenewalInfoPayload(
            originalTransactionId: transaction.transactionId, productId: transaction.productId,
            autoRenewProductId: transaction.productId, autoRenewStatus: .on,
            environment: WireEnvironment(environment), signedDate: SampleProofs.receiptAt)
    }

    private static func verifier(
        _ environments: StoreEnvironment..., bundle: String = SampleStore.bundle, appIDs: Set<AppID> = []
    ) throws -> NotificationVerifier {
        try NotificationVerifier(
            environments.map { try SampleProofs.pinned($0) }, bundleIDs: [SampleProofs.bundleID(bundle)],
            appIDs: appIDs)
    }

    private static func code(_ verifier: NotificationVerifier, _ signed: String) -> BackendError.Code? {
        do {
            _ = try verifier.verify(signed)
            return nil
        } catch {
            return (error as? BackendError)?.code
        }
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `P16: one verifier takes the notifications of both environments, and says which`(
        environment: StoreEnvironment
    ) throws {
        let found = try Self.verifier(.production, .sandbox).verify(Self.signed(environment))
        #expect(found.environment == environment && found.bundleID.text == SampleStore.bundle)
        #expect(found.payload.notificationType == .didRenew)
        #expect(found.transaction?.transactionId == (try SampleProofs.transaction(environment)).transactionId)
        #expect(found.renewal?.autoRenewStatus == .on)
    }

    @Test func `a type that is not known is kept, and a test has no transaction`() throws {
        let unknown = try Self.verifier(.sandbox).verify(
            Self.signed(type: NotificationType(rawValue: "MOON_LANDING")) {
                $0.signedTransactionInfo = nil
                $0.signedRenewalInfo = nil
            })
        #expect(unknown.payload.notificationType.rawValue == "MOON_LANDING")
        #expect(unknown.transaction == nil && unknown.renewal == nil)
    }

    @Test func `P16: another app, environment or store is refused, each with its code`() throws {
        let signed = try Self.signed()
        #expect(Self.code(try Self.verifier(.production), signed) == .wrongEnvironment)
        #expect(Self.code(try Self.verifier(.sandbox, bundle: "com.example.torch"), signed) == .wrongApp)
        let other = try Self.signed(by: SampleKeys.ofAnotherStore(.sandbox))
        #expect(Self.code(try Self.verifier(.sandbox), other) == .untrustedProof)
        let forged = try Self.signed(.production, by: SampleKeys.of(.sandbox))
        #expect(Self.code(try Self.verifier(.production, .sandbox), forged) == .untrustedProof)
    }

    @Test func `in production the number of the app is looked at where it was given`() throws {
        let number = try AppID(number: 42)
        let verifier = try Self.verifier(.production, .sandbox, appIDs: [number])
        #expect(Self.code(verifier, try Self.signed(.production)) == .wrongApp)
        #expect(
            Self.code(verifier, try Self.signed(.production) { $0.appAppleId = try AppID(number: 43) }) == .wrongApp)
        #expect(Self.code(verifier, try Self.signed(.production) { $0.appAppleId = number }) == nil)
        #expect(Self.code(verifier, try Self.signed(.sandbox)) == nil)
    }

    @Test func `R5.9: what is signed inside is verified too, and belongs to the notification`() throws {
        let verifier = try Self.verifier(.production, .sandbox)
        let foreign = try SampleProofs.transaction { $0.bundleId = try SampleProofs.bundleID("com.example.torch") }
        let inside = [
            (try SampleProofs.signed(foreign), BackendError.Code.wrongApp),
            (
                try SampleProofs.signed(SampleProofs.transaction(), by: SampleKeys.ofAnotherStore(.sandbox)),
                .untrustedProof
            ),
            // Genuine, of the other environment.
            (try SampleProofs.signed(SampleProofs.transaction(.production), in: .production), .untrustedProof),
        ]
        for (transaction, code) in inside {
            #expect(Self.code(verifier, try Self.signed { $0.signedTransactionInfo = transaction }) == code)
        }
    }

    @Test(.bounded) func `R5.9: a damaged notification is refused, or is the same`() throws {
        let verifier = try Self.verifier(.production, .sandbox)
        let signed = [try Self.signed(), try Self.signed(.production)]
        let genuine = try signed.map(verifier.verify)
        for mutant in Mutants("notifications of stores", of: signed, rounds: 500) {
            do {
                #expect(genuine.contains(try verifier.verify(mutant.text)), "\(mutant)")
            } catch {
                #expect(error is BackendError, "\(mutant): \(error)")
            }
        }
    }
}
