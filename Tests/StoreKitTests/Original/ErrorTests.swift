import Foundation
import StoreFoundation
import Testing

@testable import StoreKit

/// Errors as apps look at them.
@Suite("Errors of the original API")
struct ErrorTests {
    @Test("R2.5: an error is found by its type, by its code and by its domain")
    func matching() {
        let error: any Error = SKError(.paymentCancelled)
        #expect((error as? SKError)?.code == .paymentCancelled)
        switch error {
        case SKError.paymentCancelled: break
        default: Issue.record("the pattern does not match")
        }
        do { throw error } catch SKError.unknown { Issue.record("matched another code") } catch SKError.paymentCancelled
        {
        } catch { Issue.record("matched nothing") }
        #expect((error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == 2)
        #expect(SKError.errorDomain == "SKErrorDomain")
        #expect(SKError(.unknown).errorCode == 0)
    }

    @Test("R2.5: every code has a sentence for the person, however one asks")
    func sentences() {
        var sentences: Set<String> = []
        for raw in Array(0...20) + [5002, 5020] {
            let error = SKError(_nsError: NSError(domain: SKErrorDomain, code: raw))
            let general: any Error = error
            #expect(error.localizedDescription == general.localizedDescription)
            #expect((general as NSError).localizedDescription == error.localizedDescription)
            #expect(!error.localizedDescription.contains("SKErrorDomain"), "\(raw)")
            sentences.insert(error.localizedDescription)
        }
        #expect(sentences.count == 23)
    }

    @Test("R2.5: codes without a name keep their number and their sentence", arguments: [5002, 5020, 77])
    func unnamed(raw: Int) {
        let error = SKError(_nsError: NSError(domain: SKErrorDomain, code: raw))
        #expect(error.code.rawValue == raw && error.errorCode == raw)
        #expect(!error.localizedDescription.isEmpty)
        #expect(raw != 5020 || error.localizedDescription == "Forget Your Password?")
        #expect(raw != 5002 || error.localizedDescription == "An unknown error has occurred")
    }

    @Test(
        "R2.5: A failure has the code and the text of its cause, which is in userInfo",
        arguments: [
            (
                ConnectionError(.unreachable(mayHaveHappened: false), code: "refused", "x"), 0,
                "Cannot connect to iTunes Store"
            ),
            (ConnectionError(.unavailable, code: "store_unavailable", "x"), 0, "Cannot connect to iTunes Store"),
            (ConnectionError(.malformed, code: "answer_malformed", "x"), 5002, "An unknown error has occurred"),
            (.journal(CocoaError(.fileWriteUnknown)), 5002, "An unknown error has occurred"),
            (.notKept(CocoaError(.fileWriteUnknown)), 5002, "An unknown error has occurred"),
            (ConnectionError(.refused(status: 500), code: "new_reason", "x"), 5002, "An unknown error has occurred"),
            (
                ConnectionError(.refused(status: 404), code: "product_unknown", "x", storeKitCode: 3), 3,
                "The store does not have this item. Nothing was charged."
            ),
            (
                ConnectionError(.refused(status: 402), code: "declined", "x", storeKitCode: 0), 0,
                "Your payment was declined."
            ),
        ])
    func causes(cause: ConnectionError, code: Int, text: String) {
        let error = SKError(SessionFailure(cause))
        #expect(error.errorCode == code && error.localizedDescription == text)
        #expect(error.userInfo[SKError.reasonKey] as? String == cause.code)
        #expect((error.userInfo[SKError.developerTextKey] as? String)?.hasSuffix(cause.message) == true)
        #expect(error.failureReason == nil)
    }

    @Test(
        "R2.5: What a person reads has no address, no code and no command in it; the developer finds them in userInfo")
    func people() {
        let address = "http://127.0.0.1:8081"
        let causes = [
            SessionFailure(
                ConnectionError(
                    .unreachable(mayHaveHappened: false), code: "unreachable", "No connection to \(address).")),
            .restricted, .simulator, SessionFailure(code: 5002, reason: "new_reason", text: "\(address) said no."),
        ]
        for cause in causes {
            let error = SKError(cause)
            let texts = [
                error.localizedDescription, error.failureReason ?? "", (error as NSError).localizedDescription,
            ]
            for text in texts {
                #expect(!text.contains("till ") && !text.contains("http") && !text.contains("_"), "\(text)")
            }
            #expect(error.userInfo[SKError.developerTextKey] as? String == cause.text)
        }
    }

    @Test(
        "R2.5: Errors speak the language of the device; what is for developers stays English",
        arguments: [
            ("tr", "Bu öğe bu adette satın alınamaz. Ücret alınmadı.", "Parolanızı mı unuttunuz?"),
            ("zh-Hans-CN", "无法按此数量购买此项目。未收取任何费用。", "忘记密码？"),
        ])
    func localised(language: String, quantity: String, password: String) {
        let session = ScriptedSession()
        session.script { $0.language = language }
        CurrentSession.$own.withValue(SessionContext(session)) {
            let failure = SessionFailure(code: 3, reason: "quantity_out_of_range", text: "The quantity is 0.")
            let error = SKError(failure)
            #expect(error.localizedDescription == quantity && error.failureReason == nil)
            #expect(error.userInfo[SKError.developerTextKey] as? String == "The quantity is 0.")
            #expect(SKError(_nsError: NSError(domain: SKErrorDomain, code: 5020)).localizedDescription == password)
        }
    }

    @Test(
        "R7.2: A page that cannot be had fails with 5 and the text of the documents, whatever the cause, which is in userInfo"
    )
    func noPage() async {
        let session = ScriptedSession()
        session.script {
            $0.failure = SessionFailure(code: 0, reason: "unreachable", text: "No store answers.", request: "r1")
        }
        let error = await #expect(throws: SKError.self) {
            try await CurrentSession.$own.withValue(SessionContext(session)) {
                try await SKStoreProductViewController().loadProduct(withParameters: [:])
            }
        }
        #expect(error?.code == .storeProductNotAvailable && error?.errorCode == 5)
        #expect(error?.localizedDescription == "Cannot connect to iTunes Store")
        #expect(error?.userInfo[SKError.reasonKey] as? String == "unreachable")
        #expect(error?.userInfo[SKError.developerTextKey] as? String == "No store answers.")
        #expect(error?.userInfo[SKError.requestIdentifierKey] as? String == "r1")
    }

    @Test("R2.5: what the store said is in userInfo, and a sentence there comes first")
    func userInfo() {
        let error = SKError(
            .unknown,
            userInfo: [
                NSLocalizedDescriptionKey: "The store is closed.", SKError.reasonKey: "closed",
                SKError.requestIdentifierKey: "r1", NSLocalizedFailureReasonErrorKey: "It is night.",
                NSLocalizedRecoverySuggestionErrorKey: "Come back tomorrow.",
            ])
        #expect(error.localizedDescription == "The store is closed.")
        #expect((error as any Error).localizedDescription == "The store is closed.")
        #expect(error.userInfo[SKError.reasonKey] as? String == "closed")
        #expect(error.errorUserInfo[SKError.requestIdentifierKey] as? String == "r1")
        #expect(error.failureReason == "It is night." && error.recoverySuggestion == "Come back tomorrow.")
        #expect((error as NSError).userInfo[SKError.reasonKey] as? String == "closed")
        #expect(Set(SKError(.unknown).userInfo.keys) == [NSLocalizedDescriptionKey])
    }

    @Test("X1: errors are equal by domain, code and what they carry")
    func equality() {
        #expect(SKError(.unknown) == SKError(.unknown))
        #expect(SKError(.unknown) != SKError(.paymentInvalid))
        #expect(SKError(.unknown) != SKError(.unknown, userInfo: ["a": "b"]))
        #expect(Set([SKError(.unknown), SKError(.unknown), SKError(.clientInvalid)]).count == 2)
    }

    @Test("X1: enumerations that may grow take values of later releases")
    func openEnumerations() {
        #expect(SKPaymentTransactionState(rawValue: 10)?.rawValue == 10)
        #expect(SKProduct.PeriodUnit(rawValue: 10)?.rawValue == 10)
        #expect(SKProductDiscount.PaymentMode(rawValue: 10)?.rawValue == 10)
        #expect(SKError.Code(rawValue: 99)?.rawValue == 99)
        #expect(SKDownloadState(rawValue: 6) == nil)
        #expect(SKProductStorePromotionVisibility(rawValue: 3) == nil)
        var unknown = false
        switch SKProduct.PeriodUnit(rawValue: 10) {
        case .day?, .week?, .month?, .year?, nil: break
        @unknown default: unknown = true
        }
        #expect(unknown)
    }

    @Test("X1: an app with a bad receipt ends with the status 173")
    func terminate() async throws {
        await #expect(processExitsWith: .exitCode(173)) { SKTerminateForInvalidReceipt() }
    }
}
