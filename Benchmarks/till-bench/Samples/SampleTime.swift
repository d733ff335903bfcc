import StoreModel

/// The moment at which every sample is signed, so that two runs measure the same work.
enum SampleTime {
    /// 2026-01-02T03:04:05Z
    static let signing = Instant(millisecondsSinceEpoch: 1_767_323_045_000)
}
