import Foundation

/// Reads standard input on a thread of its own, a line whenever it is asked for one: the main thread belongs to StoreKit's
/// callbacks, and between two lines StoreKit itself may ask the person something on the same terminal.
final class LineReader: Sendable {
    private let wanted = DispatchSemaphore(value: 0)
    private let receive: @MainActor @Sendable (String?) -> Void

    /// - Parameter receive: takes each line on the main queue, and nil when there are no more.
    init(_ receive: @escaping @MainActor @Sendable (String?) -> Void) {
        self.receive = receive
        Thread.detachNewThread { [self] in
            while true {
                wanted.wait()
                let line = readLine()
                DispatchQueue.main.async { receive(line) }
                if line == nil { return }
            }
        }
    }

    func askForLine() { wanted.signal() }
}
