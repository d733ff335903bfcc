/// Something of which each operation takes so many of another.
final class Repeated: Contestant {
    private let part: any Contestant
    private let times: Int

    init(_ times: Int, _ part: any Contestant) {
        self.part = part
        self.times = times
    }

    func run(seconds: Double) throws -> Rate {
        let rate = try part.run(seconds: seconds)
        return Rate(operations: rate.operations, seconds: rate.seconds * Double(times))
    }
}

/// Several contestants whose work has to be done for each operation, one after the other: their times add up.
final class Succession: Contestant {
    private let parts: [any Contestant]

    init(_ parts: [any Contestant]) {
        self.parts = parts
    }

    func run(seconds: Double) throws -> Rate {
        let share = seconds / Double(parts.count)
        let time = try parts.reduce(0) { time, part in
            let rate = try part.run(seconds: share)
            guard rate.operations > 0 else { throw BenchmarkError("a part of the reference did nothing") }
            return time + rate.seconds / Double(rate.operations)
        }
        let operations = 1_000_000
        return Rate(operations: operations, seconds: time * Double(operations))
    }
}
