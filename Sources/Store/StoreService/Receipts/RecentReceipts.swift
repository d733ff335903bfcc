import StoreSigning
import Synchronization

/// Remembers receipts that were found genuine twice lately, byte for byte, and what they say.
///
/// Servers ask about some receipts again and again, and a genuine one stays so: its signers are judged by the moment at which it
/// was made. What the books say of its purchases is not remembered.
final class RecentReceipts: Sendable {
    private struct Entry {
        let bytes: [UInt8]
        let receipt: AppReceipt
    }

    /// The last bytes of a receipt, which are of its signature. Receipts that share them by somebody's will replace each other.
    private struct Name: Hashable {
        let end: UInt64

        /// Nil for what is not remembered.
        init?(_ bytes: [UInt8]) {
            let size = MemoryLayout<UInt64>.size
            guard (size...ReceiptLimits.rememberedBytes).contains(bytes.count) else { return nil }
            end = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: bytes.count - size, as: UInt64.self) }
        }
    }

    /// The receipts that came lately, the last so many different ones.
    private struct Notice {
        private var known: Set<UInt64> = []
        /// In their order, each in the place of one that is noticed no more.
        private var order: [UInt64] = []
        private var next = 0

        init() {
            known.reserveCapacity(ReceiptLimits.noticedReceipts)
            order.reserveCapacity(ReceiptLimits.noticedReceipts)
        }

        /// Whether the receipt came lately; from now on it did.
        mutating func take(_ name: Name) -> Bool {
            guard known.insert(name.end).inserted else { return true }
            if order.count < ReceiptLimits.noticedReceipts {
                order.append(name.end)
            } else {
                known.remove(order[next])
                order[next] = name.end
                next = (next + 1) % order.count
            }
            return false
        }
    }

    /// What is asked for becomes young again; when there are too many young ones, those that are not young are forgotten.
    private struct Generations {
        private var young: [Name: Entry] = [:]
        private var old: [Name: Entry] = [:]
        private var youngBytes = 0
        private var notice = Notice()

        mutating func entry(_ name: Name) -> Entry? {
            if let entry = young[name] { return entry }
            guard let entry = old.removeValue(forKey: name) else { return nil }
            keep(entry, name)
            return entry
        }

        /// Keeps a receipt that comes again.
        mutating func keep(_ entry: @autoclosure () -> Entry, ifAgain name: Name) {
            if notice.take(name) { keep(entry(), name) }
        }

        private mutating func keep(_ entry: Entry, _ name: Name) {
            if youngBytes + entry.bytes.count > ReceiptLimits.recentBytes / 2 {
                old = young
                young = [:]
                youngBytes = 0
            }
            youngBytes += entry.bytes.count - (young.updateValue(entry, forKey: name)?.bytes.count ?? 0)
        }
    }

    private let generations = Mutex(Generations())

    /// What a receipt says, if it is one of those that are remembered.
    func receipt(of bytes: [UInt8]) -> AppReceipt? {
        guard let name = Name(bytes), let entry = generations.withLock({ $0.entry(name) }) else { return nil }
        let isSame = entry.bytes.withUnsafeBytes { known in bytes.withUnsafeBytes { known.holdsSame(as: $0) } }
        return isSame ? entry.receipt : nil
    }

    /// Remembers a receipt that is genuine, if it came before.
    func remember(_ receipt: AppReceipt, of bytes: [UInt8]) {
        guard let name = Name(bytes) else { return }
        generations.withLock { $0.keep(Entry(bytes: bytes, receipt: receipt), ifAgain: name) }
    }
}
