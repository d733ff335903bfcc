/// One side of a comparison: our code, or the code it is held against.
///
/// A contestant is asked to run again and again, in turn with its opponent, and keeps whatever it prepared between
/// the runs.
protocol Contestant: AnyObject {
    /// Works for about so many seconds and tells what it got done.
    func run(seconds: Double) throws -> Rate
}
