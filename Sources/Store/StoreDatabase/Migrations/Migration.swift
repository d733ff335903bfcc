/// One step of a schema. Once released it never changes; what is wrong with it is repaired by the next one.
package struct Migration: Sendable {
    /// Counts from 1.
    package let number: Int
    /// A few words, such as "purchases".
    package let name: String
    package let statements: [SQL]

    package init(_ number: Int, _ name: StaticString, _ statements: [SQL]) {
        self.number = number
        self.name = name.description
        self.statements = statements
    }

    /// Everything that is run, as it is kept in the database to be compared later.
    func text(for engine: DatabaseEngine) -> String {
        statements.map { $0.text(for: engine) }.joined(separator: ";\n")
    }
}
