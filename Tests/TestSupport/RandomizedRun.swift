import Foundation

/// How tests that draw their cases at random are seeded, and how many cases they draw.
///
/// - `TILL_SEED` repeats a run: every test derives its own generator from this one number and its own name, so that one
///   test alone draws the same cases as within the whole suite. Without it the seed is new in every run.
/// - `TILL_SOAK=1` draws at least twenty times as many cases.
package enum RandomizedRun {
    /// The seed of this run. It is printed before the first case, so that even a crash leaves it behind.
    package static let seed: UInt64 = {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["TILL_SEED"].flatMap(number) ?? UInt64.random(in: .min ... .max)
        // Straight to the descriptor: what a crashing process still has in its buffers is lost.
        let line = "Randomized tests: TILL_SEED=\(seed)\(isSoak ? " TILL_SOAK=1" : "")\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        return seed
    }()

    /// Whether this run may take its time.
    package static let isSoak = ProcessInfo.processInfo.environment["TILL_SOAK"] == "1"

    /// So many cases, or twenty times as many in a soak.
    package static func cases(_ count: Int) -> Int { isSoak ? count * soakFactor : count }

    /// So many cases, or another number of them in a soak: for those that each take long.
    package static func cases(_ count: Int, inSoak soakCount: Int) -> Int { isSoak ? soakCount : count }

    /// The generator of the test with this name.
    package static func generator(named name: String) -> SplitMix64 {
        // FNV-1a: Swift's own hashes differ from process to process.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return SplitMix64(seed: seed ^ hash)
    }

    /// Lets other tasks run first, so many times. It draws an order of events; nothing may wait with it.
    package static func giveWay(_ times: Int) async {
        for _ in 0..<times { await Task.yield() }
    }

    private static let soakFactor = 20

    /// A seed in decimal, or in hexadecimal after `0x`.
    static func number(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }
}
