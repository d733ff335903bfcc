/// A closure of the app on its way to the main queue.
// Safe: the closure is called on the main queue alone, and nobody else holds on to it.
struct MainQueueCompletion<Completion>: @unchecked Sendable {
    private let completion: Completion

    init(_ completion: Completion) { self.completion = completion }

    func call(_ body: (Completion) -> Void) { body(completion) }
}
