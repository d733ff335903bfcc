/// What is done to the databases of a store as a whole, beside or without a process that has them open.
package protocol DatabaseUpkeep: Sendable {
    /// The name of the engine, which a backup keeps: one cannot read the other's.
    var engine: String { get }

    /// Whether a database has been made.
    func exists(_ schema: Schema) async throws -> Bool

    /// What an examination finds; nil if the database has not been made yet. Nothing is changed.
    func examine(_ schema: Schema) async throws -> DatabaseExamination?

    /// Reads from a database that this process need not have open; nil if it has not been made yet.
    func read<Result: Sendable>(
        _ schema: Schema, _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result?

    /// Copies the databases into a folder that is there and empty, each as it is at one moment, while others write.
    func copy(
        _ schemas: [Schema], into folder: String, progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws

    /// Examines a copy that ``copy(_:into:progress:)`` made; nil where copies cannot be opened as they are.
    func examine(_ schema: Schema, copiedInto folder: String) async throws -> DatabaseExamination?

    /// Reads from such a copy; nil where copies cannot be opened as they are.
    func read<Result: Sendable>(
        _ schema: Schema, copiedInto folder: String,
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result?

    /// Puts copies in the place of the databases, which nobody has open, and begins another life of each: `epoch` names it.
    ///
    /// - Parameter replacing: whether databases that are there may be replaced; they are kept beside the new ones where
    ///   the engine can.
    func restore(
        _ schemas: [Schema], from folder: String, replacing: Bool, epoch: String,
        progress: @escaping @Sendable (UpkeepProgress) throws -> Void
    ) async throws
}

extension DatabaseUpkeep {
    package func examine(_ schema: Schema, copiedInto folder: String) async throws -> DatabaseExamination? { nil }

    package func read<Result: Sendable>(
        _ schema: Schema, copiedInto folder: String,
        _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
    ) async throws -> Result? { nil }
}

/// What an examination of a database found.
package struct DatabaseExamination: Hashable, Sendable {
    /// Damage, a sentence each; none if the database is whole.
    package let problems: [String]
    /// How many migrations it has.
    package let migrations: Int
    /// How many this program knows.
    package let knownMigrations: Int
    /// The name of its present life, if it has begun one.
    package let epoch: String?

    package init(problems: [String], migrations: Int, knownMigrations: Int, epoch: String?) {
        self.problems = problems
        self.migrations = migrations
        self.knownMigrations = knownMigrations
        self.epoch = epoch
    }
}

/// How far something long has come.
package struct UpkeepProgress: Codable, Hashable, Sendable {
    /// What is being done, such as "copying the production database".
    package let step: String
    /// How much is done, in the unit of the whole.
    package let done: Int
    package let all: Int

    package init(_ step: String, done: Int, of all: Int) {
        self.step = step
        self.done = done
        self.all = all
    }
}

/// Why a backup was not made, or not put back. Its message is safe to show.
package struct UpkeepError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no backup, or something that is none.
        package static let noBackup = Code(rawValue: "no_backup")
        /// The backup is not whole, or not as it was made.
        package static let damaged = Code(rawValue: "damaged")
        /// The backup is of a newer version, or of another engine.
        package static let unsuitable = Code(rawValue: "unsuitable")
        /// Something is already where the result should go.
        package static let occupied = Code(rawValue: "occupied")
        /// Reading or writing failed.
        package static let inputOutput = Code(rawValue: "input_output")
        /// A program that is needed is missing or failed.
        package static let program = Code(rawValue: "program")
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
