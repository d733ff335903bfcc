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
