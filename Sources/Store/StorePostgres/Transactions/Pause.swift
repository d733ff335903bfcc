/// The pauses before something is tried again: longer each time, and of random length, so that those who were in each
/// other's way do not meet again.
struct Pause {
    private let longest: Int
    private let random: () -> UInt64
    private var bound = 1

    /// Pauses that begin below two milliseconds.
    init(longest: Int, random: @escaping () -> UInt64) {
        self.longest = longest
        self.random = random
    }

    /// How long to wait this time.
    mutating func nextMilliseconds() -> Int {
        bound = min(bound * 2, max(longest, 1))
        return Int(random() % UInt64(bound)) + 1
    }
}
