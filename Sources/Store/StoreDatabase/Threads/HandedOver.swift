/// Something that a thread is given for itself.
// Safe: `sending` proves that whoever made the value keeps no way to it, and one thread at a time takes it.
final class HandedOver<Value>: @unchecked Sendable {
    private(set) var value: Value?

    init(_ value: sending Value) {
        self.value = value
    }

    /// Lets go of the value, on the thread that used it.
    func giveBack() { value = nil }
}
