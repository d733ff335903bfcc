import Foundation
import StoreModel
import StoreSQLite
import Testing

@testable import StoreKit

/// What the journal keeps of downloads and of the content that they bring.
@Suite("Downloads in the journal")
struct JournalDownloadTests {
    private static func bought(
        _ number: Int64, _ state: JournalTransaction.State = .waiting, content: DownloadableContent? = first
    ) throws -> JournalTransaction {
        JournalTransaction(
            id: try TransactionID(number: DownloadEntry.testBase + number), signed: "s", state: state, content: content)
    }

    private static let first = DownloadableContent(version: "1.0", length: 100)

    @Test("What the store hosts for a transaction is kept with it, and outlives what is signed anew")
    func content() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            var bought = try Self.bought(1)
            try journal.store([bought])
            bought.content = nil
            bought.signed = "anew"
            try journal.store([bought])
            let kept = try Journal(at: path) { _ in }.transaction(bought.id)
            #expect(kept?.content == Self.first && kept?.signed == "anew")
        }
    }

    @Test("A download has a row from its start on, and only while its transaction is unfinished")
    func rows() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            try journal.store([Self.bought(1), Self.bought(2, .finished), Self.bought(3, content: nil)])
            let entries = try (1...4).map { try DownloadEntry.test($0, .waiting) }
            for command in [DownloadEntry.Command.pause, .resume, .cancel] {
                try journal.ask(command, of: entries)
                #expect(try journal.downloads() == [])
            }
            try journal.ask(.start, of: entries)
            let rows = try journal.downloads()
            #expect(rows.map(\.transaction) == [entries[0].transaction])
            #expect(rows.map(\.state) == [.queued])
            #expect(rows.map(\.content) == [Self.first])
            let known = try journal.keep(.begun, of: entries[0].transaction)
            #expect(try Journal(at: path) { _ in }.download(of: entries[0].transaction) == known)
            #expect(try journal.keep(.begun, of: entries[3].transaction) == nil)
        }
    }

    @Test("R6.8: a finish, a withdrawal and a sign-out end downloads in the same write")
    func ended() throws {
        let ends: [(Journal, TransactionID) throws -> Void] = [
            { try $0.finish($1, by: "me") },
            { try $0.store([], withdrawn: [$1]) },
            { journal, _ in try journal.forgetCustomer() },
            { journal, _ in try journal.replaceAll([], cursor: "c", since: .max) },
        ]
        for (number, end) in ends.enumerated() {
            try withJournal { path in
                let journal = try Journal(at: path) { _ in }
                let bought = try Self.bought(1)
                try journal.store([bought])
                try journal.ask(.start, of: [.test(1, .waiting)])
                try end(journal, bought.id)
                let row = try #require(try journal.download(of: bought.id), "\(number)")
                #expect(row.state == .cancelled && row.isOver, "\(number)")
                #expect(row.endedBy == (number == 0 ? "me" : nil), "\(number)")
            }
        }
    }

    @Test("A journal of before hosted content gets its place for it, and keeps what it had")
    func migrated() throws {
        try withJournal { path in
            let connection = try SQLiteConnection(.file(path))
            try connection.run(JournalSchema.steps[0])
            try connection.run("PRAGMA user_version = 1")
            try connection.run(
                """
                INSERT INTO bought (id, number, signed, state, is_revoked, change)
                VALUES (\(DownloadEntry.testBase + 1), 1, 's', 'waiting', 0, 1)
                """)
            let journal = try Journal(at: path) { _ in }
            let known = try journal.transaction(try Self.bought(1).id)
            #expect(known?.state == .waiting && known?.content == nil)
            try journal.store([Self.bought(1)])
            #expect(try journal.transaction(try Self.bought(1).id)?.content == Self.first)
        }
    }

    @Test("A row that somebody has changed for the worse is damage, not a download")
    func damaged() throws {
        try withJournal { path in
            let journal = try Journal(at: path) { _ in }
            try journal.store([Self.bought(1)])
            try journal.ask(.start, of: [.test(1, .waiting)])
            let connection = try SQLiteConnection(.file(path))
            try connection.run("UPDATE download SET entry = replace(entry, 'queued', 'dreaming')")
            #expect(throws: (any Error).self) { try journal.downloads() }
            #expect(journal.resetCount == 1)
        }
    }
}
