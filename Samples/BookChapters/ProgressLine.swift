import Foundation
import StoreKit

/// How a download comes along, in a line for the person.
///
/// ```
/// Chapter 1 ██████████████░░░░░░░░░░ 58 %  1.2 of 2.1 MB  410 kB/s  3 s left
/// ```
struct ProgressLine {
    private let name: String
    /// The quarters that were told where no line can move.
    private var quarters = 0

    init(_ name: String) { self.name = name }

    /// A line that fits a terminal of so many places.
    func moving(_ progress: ContentProgress, width: Int) -> String {
        var parts = ["\(Int(progress.fraction * 100)) %", amount(progress)]
        if let left = progress.secondsRemaining, left > 0 {
            let rate = Double(progress.totalBytes - progress.receivedBytes) / left
            parts += ["\(Self.bytes(Int64(rate)))/s", Self.time(left)]
        }
        if progress.fraction >= 1 { parts = ["100 %", "unpacking"] }
        let words = parts.joined(separator: "  ")
        let length = max(8, min(30, width - name.count - words.count - 8))
        let filled = Int(Double(length) * progress.fraction)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: length - filled)
        return "\(name) \(bar) \(words)"
    }

    /// A line for where no line can move, at each quarter; nil in between.
    mutating func plain(_ progress: ContentProgress) -> String? {
        let reached = Int(progress.fraction * 4)
        guard reached > quarters else { return nil }
        quarters = reached
        return "  \(name): \(reached * 25) %, \(amount(progress))"
    }

    private func amount(_ progress: ContentProgress) -> String {
        "\(Self.bytes(progress.receivedBytes)) of \(Self.bytes(progress.totalBytes))"
    }

    static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: "\((count + 500) / 1000) kB"
        case ..<1_000_000_000: String(format: "%.1f MB", Double(count) / 1e6)
        default: String(format: "%.2f GB", Double(count) / 1e9)
        }
    }

    private static func time(_ seconds: TimeInterval) -> String {
        seconds < 90 ? "\(Int(seconds)) s left" : "\(Int((seconds / 60).rounded())) min left"
    }
}
