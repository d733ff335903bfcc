package import Testing

extension Trait where Self == TimeLimitTrait {
    /// The time limit of every test that waits for something. Only a test that hangs reaches it: it leaves room for a
    /// machine that is busy with other things, and for the counts of a soak.
    package static var bounded: Self { .timeLimit(.minutes(RandomizedRun.isSoak ? 240 : 10)) }
}
