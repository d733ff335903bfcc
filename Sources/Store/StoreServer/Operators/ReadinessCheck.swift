/// Something that has to be in order for the store to do business.
package struct ReadinessCheck: Sendable {
    package let name: String
    /// Throws what is wrong.
    let run: @Sendable () async throws -> Void

    package init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}
