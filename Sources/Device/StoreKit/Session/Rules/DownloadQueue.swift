package import StoreModel

/// The downloads of an app as pure rules: what the journal says comes in, what is to be told and done goes out.
///
/// Every process of the app has one. All tell, and the one that has the lease fetches.
package struct DownloadQueue: Hashable, Sendable {
    /// How many are fetched at once; the others wait.
    package static let atOnce = 3

    /// What the journal said last; nil before it was read.
    private var entries: [TransactionID: DownloadEntry]?
    /// Those that a task of this process is busy with, and with what.
    private var busy: [TransactionID: Work] = [:]

    private enum Work: Hashable, Sendable {
        case fetching, stopping, clearing
    }

    package init() {}

    /// What can happen.
    // Closed: only the rules switch over them.
    package enum Event: Hashable, Sendable {
        /// The journal was read.
        ///
        /// - Parameters:
        ///   - isResponsible: whether this process fetches.
        ///   - purgeable: those whose finished content may go.
        case read([DownloadEntry], isResponsible: Bool, purgeable: Set<TransactionID>)
        /// The app has started downloads, some of which may have ended already: it waits for a word all the same.
        case started([TransactionID])
        /// A task that was busy with a download has ended.
        case ended(TransactionID)
    }

    /// What is to be done, in this order.
    // Closed: the driver must know all.
    package enum Action: Hashable, Sendable {
        /// Tell the app of downloads that have changed.
        case tell([DownloadEntry])
        /// Fetch, and unpack.
        case fetch(TransactionID)
        /// End the fetching, and keep what there is.
        case stop(TransactionID)
        /// Remove what is on the disk, and then, if its transaction is over, the row.
        case clear(DownloadEntry)
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .read(let rows, let isResponsible, let purgeable):
            let told = tell(rows)
            return told + (isResponsible ? work(rows, purgeable) : [])
        case .started(let ids):
            // Of what begins now it hears anyway.
            let known = ids.compactMap { entries?[$0] }.filter { $0.state != .queued }
            return known.isEmpty ? [] : [.tell(known)]
        case .ended(let id):
            busy[id] = nil
            return []
        }
    }

    /// A download as the app sees it now; nil without content.
    package func entry(of bought: BoughtTransaction) -> DownloadEntry? {
        if let entry = entries?[bought.id], !entry.isOver { return entry }
        return bought.content.map { DownloadEntry(bought.id, product: bought.payment.product, content: $0) }
    }

    private mutating func tell(_ rows: [DownloadEntry]) -> [Action] {
        let former = entries
        entries = Dictionary(rows.map { ($0.transaction, $0) }) { $1 }
        // What an earlier process had is told together with its transaction.
        guard let former else { return [] }
        let changed = rows.filter { row in
            guard let known = former[row.transaction] else { return !row.isOver }
            return !known.looksLike(row)
        }
        // Content that was deleted can be had again.
        let deleted = former.values.filter { !$0.isOver && entries?[$0.transaction] == nil }
            .sorted { $0.order < $1.order }
            .map { DownloadEntry($0.transaction, product: $0.product, content: $0.content) }
        return changed.isEmpty && deleted.isEmpty ? [] : [.tell(changed + deleted)]
    }

    private mutating func work(_ rows: [DownloadEntry], _ purgeable: Set<TransactionID>) -> [Action] {
        var actions: [Action] = []
        let wanted = rows.filter { !$0.isOver && ($0.state == .queued || $0.state == .active) }
        // What has ended by itself needs no stop.
        let kept = Set(
            wanted.map(\.transaction) + rows.filter { $0.state == .finished || $0.state == .failed }.map(\.transaction))
        for id in busy.keys.sorted(by: { $0.number < $1.number }) where busy[id] == .fetching && !kept.contains(id) {
            busy[id] = .stopping
            actions.append(.stop(id))
        }
        // What was active and is not any more was interrupted by the end of a process, and goes on before others begin.
        let interrupted = wanted.filter { $0.state == .active }
        let queued = wanted.filter { $0.state == .queued }.sorted { $0.order < $1.order }
        for entry in interrupted + queued where busy[entry.transaction] == nil {
            guard wanted.count(where: { busy[$0.transaction] == .fetching }) < Self.atOnce else { break }
            busy[entry.transaction] = .fetching
            actions.append(.fetch(entry.transaction))
        }
        for entry in rows where busy[entry.transaction] == nil && isUseless(entry, purgeable) {
            busy[entry.transaction] = .clearing
            actions.append(.clear(entry))
        }
        return actions
    }

    /// Whether what is on the disk is of no use any more.
    private func isUseless(_ entry: DownloadEntry, _ purgeable: Set<TransactionID>) -> Bool {
        if entry.isOver { return entry.state != .finished || purgeable.contains(entry.transaction) }
        return entry.state == .cancelled && entry.received > 0
    }
}
