/// What is done to the databases of a store as a whole, beside or without a process that has them open.
package protocol DatabaseUpkeep: Sendable {
    /// The name of the engine, which a backup keeps: one cannot read the other's.
    var engine: String { get }

    /// What an examination finds; nil if the database has not been made yet. Nothing is changed.
    func examine(_ schema: Schema) async throws -> DatabaseExamination?

    /// Copies the databases into a folder that is there and empty, each as it is at one moment, while others write.
    func copy(
        _ schemas: [Schema], into folder: String, progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws

    /// Puts copies in the place of the databases, which nobody has open, and begins another life of each: `epoch` names it.
    ///
    /// - Parameter replacing: whether databases that are there may be replaced; they are kept beside the new ones where
    ///   the engine can.
    func restore(
        _ schemas: [Schema], from folder: String, replacing: Bool, epoch: String,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws
}
