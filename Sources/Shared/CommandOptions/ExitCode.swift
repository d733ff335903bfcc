/// What a program tells its caller when it ends: a number of `sysexits.h` and the sentence that explains it.
///
/// Two codes are equal when their numbers are: ``when(_:)`` changes only what help says about one.
package struct ExitCode: Sendable {
    package let rawValue: Int32
    package let meaning: String

    package init(rawValue: Int32, meaning: String) {
        self.rawValue = rawValue
        self.meaning = meaning
    }

    /// The same number with a sentence that fits one command better than the general one.
    package func when(_ meaning: String) -> ExitCode {
        ExitCode(rawValue: rawValue, meaning: meaning)
    }
}

extension ExitCode {
    package static let success = ExitCode(rawValue: 0, meaning: "Success.")
    package static let failure = ExitCode(rawValue: 1, meaning: "The command failed; the message says why.")
    package static let usage = ExitCode(rawValue: 64, meaning: "The command line is wrong; nothing was done.")
    package static let badData = ExitCode(rawValue: 65, meaning: "The input is not what it should be.")
    package static let inputMissing = ExitCode(rawValue: 66, meaning: "The input does not exist or cannot be read.")
    package static let unavailable = ExitCode(rawValue: 69, meaning: "A service that is needed does not answer.")
    package static let cannotCreate = ExitCode(rawValue: 73, meaning: "The output cannot be created.")
    package static let inputOutput = ExitCode(rawValue: 74, meaning: "Reading or writing failed.")
    package static let tryAgain = ExitCode(rawValue: 75, meaning: "It did not work this time; trying again may help.")
    package static let noPermission = ExitCode(rawValue: 77, meaning: "The permission to do this is missing.")
    package static let configuration = ExitCode(rawValue: 78, meaning: "A setting is wrong or missing.")

    /// Every code a program of ours may end with, by number.
    package static let all: [ExitCode] = [
        success, failure, usage, badData, inputMissing, unavailable, cannotCreate, inputOutput, tryAgain, noPermission,
        configuration,
    ]
}

extension ExitCode: Hashable {
    package static func == (left: ExitCode, right: ExitCode) -> Bool { left.rawValue == right.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
