import TestSupport

/// A door that tasks wait at until it is opened, or until they are cancelled.
final class Gate: Sendable {
    private let isOpen = Observed(false)
    private let cancelled = Observed(0)

    /// How many tasks were cancelled at the door.
    var cancellations: Int { cancelled.value }

    var wasOpened: Bool { isOpen.value }

    func open() { isOpen.update { $0 = true } }

    func pass() async {
        do {
            try await isOpen.wait { $0 }
        } catch {
            cancelled.update { $0 += 1 }
        }
    }

    /// Waits until so many tasks were cancelled at the door.
    func untilCancelled(_ count: Int) async throws {
        try await cancelled.wait { $0 >= count }
    }
}
