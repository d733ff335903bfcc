/// What became of something that was paid for.
enum Delivery {
    /// It was added to what the person has.
    case added
    /// It had been added before.
    case repeated
    /// The person has it again.
    case restored
    /// It is nothing that this version of the app knows.
    case unknown
    /// It could not be kept.
    case unsaved(any Error)
}
