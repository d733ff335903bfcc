import CommandOptions
import Foundation
import StoreModel
import StoreService

/// The settings of what a store is as a program.
enum SystemOptions {
    static let backups = Option<String?>.optional(
        "backups", .directory("FOLDER"), environment: "TILL_BACKUPS",
        help: "Where till backups and the console make backups and look for them; the folder backups of the data "
            + "directory without it.")

    /// The folder of backups of a store.
    static func folder(_ arguments: ParsedArguments, in directory: DataDirectory) -> String {
        let named = arguments.declares(backups) ? arguments[backups] : nil
        return URL(fileURLWithPath: named ?? directory.backupsPath).standardizedFileURL.path
    }
}

extension SystemSetting {
    init(_ given: GivenSetting) {
        let source: Source =
            switch given.source {
            case .commandLine: .option
            case .environment: .variable
            case .file: .file
            case .declaration: .standard
            }
        self.init(
            name: given.name, value: given.text, source: source, place: given.place, isSecret: given.isSecret,
            help: given.help)
    }

    /// What `till serve` is set to by a command line, its variables and its file.
    static func all(_ arguments: ParsedArguments) -> [SystemSetting] {
        ServeCommand.options.map { SystemSetting(arguments.setting($0)) }
    }
}
