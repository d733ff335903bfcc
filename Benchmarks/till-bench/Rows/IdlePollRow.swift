struct IdlePollRow: BenchmarkRow {
    /// What one may take, in bytes: the library's buffer of 24 KiB, and 8 KiB for all else that is known of it.
    static let limit = 32 * 1024

    let name = "http-idle-poll"
    let summary = "Long polls that wait, 10 000 at once: how many fit into a megabyte of the server's memory."
    let reference = "the limit of 32 KiB each"

    func prepare() throws -> Contest {
        let limit = Rate(operations: IdlePolls.count, seconds: Double(IdlePolls.count * Self.limit) / 1_048_576)
        return Contest(ours: IdlePolls(), reference: FixedRate(limit))
    }
}
