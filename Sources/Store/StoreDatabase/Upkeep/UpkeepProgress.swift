/// How far something long has come.
package struct UpkeepProgress: Codable, Hashable, Sendable {
    /// What is being done, such as "copying the production database".
    package let step: String
    /// How much of it is done, in whatever it is counted in.
    package let done: Int
    package let all: Int

    package init(_ step: String, done: Int, of all: Int) {
        self.step = step
        self.done = done
        self.all = all
    }
}
