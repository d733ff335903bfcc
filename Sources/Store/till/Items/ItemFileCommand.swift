import CommandOptions
import Foundation
import StoreCatalogue
import StoreHTTP
import StoreModel
import StoreServer

/// `till items file`
enum ItemFileCommand {
    private static let role = Argument<String>.required(
        .choice("ROLE", ItemFile.Role.all.map(\.rawValue)), help: "What it is for.")
    private static let file = Argument<String?>.optional(
        .file(), help: "The file; without it the one that stands there is removed.")
    private static let position = Option<Int>.defaulted(
        "position", .integer("N", in: 1...100), to: 1, help: "Its place among those of its role.")
    private static let version = Option<String?>.optional(
        "version", .text("VERSION"), help: "The version of the app that it is a package of.")
    private static let text = Option<String?>.optional(
        "text", .text("TEXT"), help: "What is to be seen on it, for those who do not see it.")

    static let command = Command<TillProgram.Action>(
        "file", "Give an item a file, or remove it.",
        discussion: """
            What a file is, its bytes say, whatever it is called. Production goes on with the former one until this one is \
            approved. The packages of an app belong to one of its versions and are approved with it.
            """,
        options: [position, version, text, StandardOptions.json], arguments: [ItemsCommand.storeID, role, file],
        examples: [
            Example("A cover", "till items file 1000000010 artwork cover.png --text 'A harbour at night'"),
            Example("The package of an app", "till items file 1000000001 package example.deb --version 1.0"),
            Example("The second screenshot, no more", "till items file 1000000001 screenshot --position 2"),
        ],
        exitCodes: ItemsCommand.exits,
        action: { arguments, context in
            let query = [
                ("version", arguments[version]), ("alternativeText", arguments[text]),
                ("name", arguments[file].map { URL(fileURLWithPath: $0).lastPathComponent }),
            ].compactMap { name, value in value.map { "\(name)=\(SaleOptions.escaped($0))" } }
            let path =
                "\(ItemsCommand.path(arguments))/files/\(arguments[role])/\(arguments[position])"
                + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            guard let name = arguments[file] else {
                return try await ItemsCommand.tell(arguments, context) {
                    try await $0.ask("DELETE", path, as: ItemDetailsMessage.self)
                }
            }
            guard let opened = OpenFile(path: name) else {
                throw CommandFailure(.inputMissing, "\(name) cannot be read")
            }
            let (bar, total) = (TransferBar("sending", context), Int64(opened.length))
            defer { bar.end() }
            try await ItemsCommand.tell(arguments, context) { store in
                let details = try await store.ask("PUT", path, sending: opened, as: ItemDetailsMessage.self) {
                    bar.show($0, of: total)
                }
                bar.end()
                return details
            }
        })
}
