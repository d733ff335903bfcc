import CommandOptions

/// The option of every command that works on a store.
enum DataOptions {
    static let data = Option.defaulted(
        "data", .directory(), to: "./till_data", environment: "TILL_DATA", help: "The data directory of the store.")
}
