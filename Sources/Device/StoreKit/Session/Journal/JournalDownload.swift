import Foundation
package import StoreModel
import StoreSQLite

extension Journal {
    /// All downloads that were started and whose files may still be there.
    package func downloads() throws -> [DownloadEntry] {
        try use { try $0.downloads() }
    }

    package func download(of id: TransactionID) throws -> DownloadEntry? {
        try use { try $0.download(of: id) }
    }

    /// Keeps what the app asks of downloads.
    ///
    /// - Parameter entries: as the app knows them; one that was never started has no row yet, and gets one only while its
    ///   transaction is unfinished.
    package func ask(_ command: DownloadEntry.Command, of entries: [DownloadEntry]) throws {
        // What a power failure takes is asked for again by the person.
        try change(isDurable: false) { database in
            for entry in entries {
                guard let current = try database.download(of: entry.transaction) ?? database.unstarted(entry) else {
                    continue
                }
                var next = current
                next.handle(.asked(command, order: try database.nextNumber()))
                if next.state != current.state { try database.keep(next) }
            }
        }
    }

    /// Keeps what happened to a download; returns what it is then, nil if it is gone.
    @discardableResult
    package func keep(_ event: DownloadEntry.Event, of id: TransactionID) throws -> DownloadEntry? {
        // What a power failure takes is found out again: the files tell how far it had come.
        try change(isDurable: false) { database in
            guard let current = try database.download(of: id) else { return nil }
            var next = current
            next.handle(event)
            if next != current { try database.keep(next) }
            return next
        }
    }

    /// Forgets a download whose files are gone.
    package func forgetDownload(of id: TransactionID) throws {
        try change(isDurable: false) { database in
            _ = try database.execute("DELETE FROM download WHERE id = $1", .integer(id.number))
            _ = try database.nextNumber()
        }
    }
}

extension JournalDatabase {
    func downloads() throws -> [DownloadEntry] {
        try query("SELECT entry FROM download ORDER BY id", row: DownloadEntry.init(row:))
    }

    func download(of id: TransactionID) throws -> DownloadEntry? {
        try query("SELECT entry FROM download WHERE id = $1", .integer(id.number), row: DownloadEntry.init(row:)).first
    }

    /// A download that nobody has started, if its transaction is unfinished.
    fileprivate func unstarted(_ entry: DownloadEntry) throws -> DownloadEntry? {
        guard let known = try transaction(entry.transaction), known.state == .waiting, let content = known.content
        else { return nil }
        return DownloadEntry(entry.transaction, product: entry.product, content: content)
    }

    fileprivate func keep(_ entry: DownloadEntry) throws {
        let text = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
        try execute(
            "INSERT INTO download (id, entry) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET entry = $2",
            .integer(entry.transaction.number), .text(text))
        _ = try nextNumber()
    }

    /// Ends the downloads of transactions that are finished or gone. Called with every change that may have that effect, so
    /// that both are known together.
    ///
    /// - Parameter process: the one that does so; its next launch may remove the files.
    func endDownloads(by process: String? = nil) throws {
        for var entry in try downloads() where !entry.isOver {
            guard try transaction(entry.transaction)?.state != .waiting else { continue }
            entry.handle(.transactionOver(by: process))
            try keep(entry)
        }
    }
}

extension DownloadEntry {
    fileprivate init(row: JournalRow) throws {
        self = try row.value(0) { try? JSONDecoder().decode(DownloadEntry.self, from: Data($0.utf8)) }
    }
}
