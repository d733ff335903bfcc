/// What a running store says of itself to the commands of its operator.
package struct AdminStatus: Codable, Hashable, Sendable {
    package let version: String
    package let process: Int32
    package let production: String?
    package let sandbox: String?
    package let database: String

    package init(version: String, process: Int32, production: String?, sandbox: String?, database: String) {
        self.version = version
        self.process = process
        self.production = production
        self.sandbox = sandbox
        self.database = database
    }
}
