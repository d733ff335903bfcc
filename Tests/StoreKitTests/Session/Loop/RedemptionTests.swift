import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Codes that are redeemed in the app, from the line at the terminal to the transaction.
@Suite("Codes on the device", .bounded)
struct RedemptionTests {
    @Test("X4: A code is asked for until the store knows it, and what it is for is bought with its offer")
    func redeemed() async throws {
        let bench = try await SessionBench(SessionStore())
        let app = "/apps/com.example.monkeycredits"
        _ = try await bench.store.control(
            "PUT", "\(app)/products/\(SessionStore.club)/offers/gift",
            ["kind": "code", "paymentMode": "free", "period": "P1M"])
        _ = try await bench.store.control(
            "POST", "\(app)/codes",
            ["productId": SessionStore.club, "offerId": "gift", "custom": "WELCOME24", "count": 1])
        let terminal = ScriptedTerminal(["NOSUCHCODE", "WELCOME24"])
        let prompt = CodePrompt(terminal: TerminalPrompt(terminal))
        try await bench.withSession(prompt: prompt) { app in
            try await app.signIn()
            app.attach()
            app.session.presentCodeRedemption()
            try await app.until("purchased club")
            let bought = try #require(try app.last(.purchased).bought?.id)
            let signed = try #require(try app.session.journal.transaction(bought)?.signed)
            let payload = try bench.profile.verified(signed).payload
            #expect(payload.offerType == .offerCode && payload.price == 0)
        }
        #expect(bench.store.processor.charges == [])
        #expect(terminal.screen.contains("Code (leave empty to cancel): NOSUCHCODE"), "\(terminal.screen)")
    }
}

/// Asks for codes at a terminal; everything else is answered by itself.
private struct CodePrompt: PurchasePrompt {
    let terminal: TerminalPrompt
    var asksPerson: Bool { true }

    func ask(_ question: PromptQuestion) async -> PromptReply { await SessionBench.account.ask(question) }
    func tell(_ notice: PromptNotice) async {}
    func askCode(_ question: CodeQuestion) async -> String? { await terminal.askCode(question) }
}
