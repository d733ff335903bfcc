import StoreDatabase
import Synchronization

/// One line on the terminal that tells how far something is, written over and over; nothing where nobody reads it.
final class ProgressLine: Sendable {
    private let context: CommandContext
    private let shown = Mutex("")

    init(_ context: CommandContext) {
        self.context = context
    }

    func show(_ progress: UpkeepProgress) {
        guard context.errorIsTerminal else { return }
        let percent = progress.all > 0 ? progress.done * 100 / progress.all : 100
        let line = "\(progress.step): \(percent) %"
        let isNew = shown.withLock { shown in
            defer { shown = line }
            return shown != line
        }
        if isNew { context.warn(Array("\r\u{1B}[K\(line)".utf8)) }
    }

    func clear() {
        if context.errorIsTerminal, !shown.withLock({ $0.isEmpty }) { context.warn(Array("\r\u{1B}[K".utf8)) }
    }
}
