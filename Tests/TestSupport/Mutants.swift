/// A run of damaged copies of genuine inputs, to be thrown at a parser.
///
/// ```swift
/// for mutant in Mutants("receipts", of: [receipt, otherReceipt], rounds: 2000) {
///     if let read = try? parse(mutant.bytes) { #expect(read == expected, "\(mutant)") }
/// }
/// ```
package struct Mutants: Sequence, Sendable {
    /// One damaged input. Its description says how to make it again.
    package struct Mutant: Sendable, CustomStringConvertible {
        package let bytes: [UInt8]
        /// Which of the originals was damaged.
        package let origin: Int
        package let name: String
        package let round: Int

        /// The bytes as text, repaired where they are not UTF-8.
        package var text: String { String(decoding: bytes, as: UTF8.self) }

        package var description: String { "\(name), round \(round), TILL_SEED=\(RandomizedRun.seed)" }
    }

    private let name: String
    private let originals: [[UInt8]]
    private let rounds: Int

    /// Prepares `rounds` mutants, many times more in a soak. With several originals, pieces of one get into another.
    package init(_ name: String, of originals: [[UInt8]], rounds: Int) {
        self.name = name
        self.originals = originals
        self.rounds = RandomizedRun.cases(rounds)
    }

    package init(_ name: String, of originals: [String], rounds: Int) {
        self.init(name, of: originals.map { Array($0.utf8) }, rounds: rounds)
    }

    package func makeIterator() -> AnyIterator<Mutant> {
        let (name, originals, rounds) = (name, originals, rounds)
        var mutator = Mutator(RandomizedRun.generator(named: name))
        var round = 0
        return AnyIterator {
            guard round < rounds, !originals.isEmpty else { return nil }
            // A damage may undo itself; such a copy would prove nothing.
            var bytes: [UInt8]
            let origin = round % originals.count
            repeat {
                bytes = mutator.mutate(originals[origin], splicing: originals[(origin + 1) % originals.count])
            } while originals.contains(bytes)
            round += 1
            return Mutant(bytes: bytes, origin: origin, name: name, round: round)
        }
    }
}
