/// Why a row could not be measured, in words for the person who ran the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
