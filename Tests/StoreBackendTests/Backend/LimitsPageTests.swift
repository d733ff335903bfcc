import Foundation
import StoreBackend
import Testing

@Suite("The limits of a developer's server")
struct LimitsPageTests {
    @Test("The page about the server has each limit with what it is")
    func rows() throws {
        let limits = BackendLimits()
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/YourOwnServer.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        func grouped(_ number: some BinaryInteger) -> String {
            Int64(number).formatted(.number.locale(Locale(identifier: "en_US")))
        }
        let rows = [
            ("transactions of a proof", grouped(limits.transactionsPerProof)),
            ("users that share a purchase", grouped(limits.usersPerPurchase)),
            ("transactions that are looked at", grouped(limits.entitlementsPerUser)),
            ("products of a list", grouped(limits.productsPerList)),
            ("ids in a report of unknown products", grouped(limits.unknownProductsPerReport)),
            ("versions of a content", grouped(limits.versionsPerContent)),
            ("bytes of a content", "\(limits.contentBytes >> 30) GiB"),
            ("what is credited by one product", grouped(limits.balanceAmount)),
            (
                "wrong passwords for a name",
                "\(limits.guessesPerName) and \(limits.guessesPerAddress) in \(limits.guessSeconds / 60) minutes"
            ),
            (
                "new accounts from one address",
                "\(limits.accountsPerAddress ?? 0) in \(limits.guessSeconds / 60) minutes, but for this machine"
            ),
            ("passwords that wait", grouped(limits.waitingPasswords)),
            ("sessions of a user", "\(limits.sessionsPerUser), for \(limits.sessionSeconds / 86_400) days each"),
            ("entries of a page of the audit", grouped(limits.auditEntriesPerPage)),
            (
                "notifications that are asked for at once",
                "\(limits.pagesPerCatchUp) pages, and \(limits.subscriptionsPerCatchUp) subscriptions"
            ),
            ("notifications of the past", "\(limits.historySeconds / 86_400) days"),
            ("memory of a notification", "\(limits.notificationSeconds / 86_400) days"),
        ]
        for (what, amount) in rows {
            let row = lines.first { $0.hasPrefix("| \(what)") }
            #expect(row?.contains(" | \(amount) | ") == true, "\(what): \(amount)")
        }
        let count = Mirror(reflecting: limits).children.count
        // Three limits share a row of guesses, and two rows have two each.
        #expect(count == rows.count + 4, "a limit is not on the page")
    }
}
