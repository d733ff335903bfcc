/// Ours and the reference, prepared to be measured against each other.
struct Contest {
    let ours: any Contestant
    let reference: any Contestant

    /// One unmeasured run of each, then so many rounds in which both run in turn.
    ///
    /// Who runs first changes from round to round, so that a disturbance which comes and goes hits both sides alike.
    func rounds(_ count: Int, seconds: Double, progress: (Int) -> Void) throws -> [Round] {
        _ = try ours.run(seconds: seconds / 4)
        _ = try reference.run(seconds: seconds / 4)
        return try (0..<count).map { number in
            progress(number)
            if number.isMultiple(of: 2) {
                let ours = try ours.run(seconds: seconds)
                return try Round(ours: ours, reference: reference.run(seconds: seconds))
            }
            let reference = try reference.run(seconds: seconds)
            return try Round(ours: ours.run(seconds: seconds), reference: reference)
        }
    }
}

/// What both sides did in one round.
struct Round: Hashable, Sendable {
    let ours: Rate
    let reference: Rate

    /// How many times as fast as the reference ours is.
    var ratio: Double { reference.perSecond > 0 ? ours.perSecond / reference.perSecond : 0 }
}
