struct ServeStartRow: BenchmarkRow {
    /// How long a start may take, in seconds.
    static let limit = 0.3

    let name = "serve-start"
    let summary = "A store that was started before is started again, until its line says that it is ready."
    let reference = "the limit of 300 ms"

    func prepare() throws -> Contest {
        Contest(
            ours: ServeStart(try TillServer()),
            reference: FixedRate(Rate(operations: 1, seconds: Self.limit)))
    }
}

struct ServeMemoryRow: BenchmarkRow {
    /// How much memory it may take, in bytes.
    static let limit = 60_000_000

    let name = "serve-idle-memory"
    let summary = "A store that is ready and has nothing to do: how many fit into a gigabyte of memory."
    let reference = "the limit of 60 MB"

    func prepare() throws -> Contest {
        Contest(
            ours: ServeMemory(try TillServer()),
            reference: FixedRate(Rate(operations: 1, seconds: Double(Self.limit) / 1e9)))
    }
}
