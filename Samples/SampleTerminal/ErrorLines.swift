import Foundation

/// Standard error while a prompt is on the screen. StoreKit and others write lines there, which would stand behind the prompt;
/// here they come above it, and the prompt is drawn again.
@MainActor
final class ErrorLines {
    private let original: Int32
    private let ends: (reader: Int32, writer: Int32)

    /// Nil where there is no terminal that the lines would disturb.
    ///
    /// - Parameter show: takes each line.
    init?(_ show: @escaping @MainActor @Sendable (String) -> Void) {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        original = dup(STDERR_FILENO)
        self.ends = (ends[0], ends[1])
        let reader = ends[0]
        Thread.detachNewThread { Self.read(reader, show) }
    }

    /// Lets lines come here from now on.
    func take() { dup2(ends.writer, STDERR_FILENO) }

    /// Lets lines go where they went before: StoreKit may have a question open from now on, and knows how to draw it again.
    func giveBack() { dup2(original, STDERR_FILENO) }

    private nonisolated static func read(_ descriptor: Int32, _ show: @escaping @MainActor @Sendable (String) -> Void) {
        var (rest, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { return }
            rest += bytes[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                DispatchQueue.main.async { show(line) }
            }
        }
    }
}
