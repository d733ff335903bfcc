import Foundation
import StoreFoundation
import StoreModel

/// Hosted content: what the app asks for, and what the rules want done.
extension DeviceSession {
    package func ask(_ command: DownloadEntry.Command, of downloads: [DownloadEntry]) {
        do {
            try journal.ask(command, of: downloads)
        } catch {
            settings.report("downloads cannot be written down: \(error)")
        }
        bringUpToDate()
        if command == .start { handle(.started(downloads.map(\.transaction))) }
        presence.wakeOthers()
        wake.raise()
    }

    package func contentFolder(of product: String) -> URL? {
        let entries = (try? journal.downloads()) ?? []
        return entries.filter { $0.product == product && $0.state == .finished }
            .max { version($0) < version($1) }.flatMap { contents.content(of: $0) }
    }

    package func deleteContent(of product: String) {
        let entries = (try? journal.downloads()) ?? []
        for entry in entries where entry.product == product && (entry.state == .finished || entry.isOver) {
            contents.remove(of: entry.transaction)
            try? journal.forgetDownload(of: entry.transaction)
        }
        bringUpToDate()
        presence.wakeOthers()
    }

    private func version(_ entry: DownloadEntry) -> ContentVersion {
        (try? ContentVersion(parsing: entry.content.version)) ?? .first
    }

    /// Downloads whose transactions are over and whose content may go: at once, if that is set, else at the next launch.
    func purgeable(_ entries: [DownloadEntry]) -> Set<TransactionID> {
        let over = entries.filter { entry in
            entry.isOver && (settings.purgesAtOnce || !(entry.endedBy.map { isLiving($0) } ?? false))
        }
        return Set(over.map(\.transaction))
    }

    private func isLiving(_ process: String) -> Bool { process == presence.name || presence.isAlive(process) }

    /// Keeps what happened to a download, and tells of it. Returns what it is then.
    @discardableResult
    func note(_ event: DownloadEntry.Event, of id: TransactionID) -> DownloadEntry? {
        do {
            let entry = try journal.keep(event, of: id)
            bringUpToDate()
            presence.wakeOthers()
            return entry
        } catch {
            settings.report("a download cannot be written down: \(error)")
            return nil
        }
    }

    /// Removes what is of no use any more.
    func clear(_ entry: DownloadEntry) async {
        let contents = contents
        await OwnThread.run(named: "till-content") { contents.remove(of: entry.transaction) }
        do {
            if entry.isOver {
                try journal.forgetDownload(of: entry.transaction)
            } else {
                try journal.keep(.cleared, of: entry.transaction)
            }
        } catch {
            settings.report("a download cannot be forgotten: \(error)")
        }
    }

    /// Makes room where the disk is full: what may be removed at any time goes now.
    func purge() {
        for entry in (try? journal.downloads()) ?? [] where entry.isOver {
            contents.remove(of: entry.transaction)
            try? journal.forgetDownload(of: entry.transaction)
        }
    }
}
