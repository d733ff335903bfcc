import CommandOptions
import StoreSigning

/// Why a command ended without doing what it was asked, and the status by which scripts know.
struct CommandFailure: Error {
    let exitCode: ExitCode
    let message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// What an error from below means at the command line.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as SigningError: self.init(Self.exitCode(error.code), error.message)
        default: self.init(.failure, "\(error)")
        }
    }

    private static func exitCode(_ code: SigningError.Code) -> ExitCode {
        switch code {
        case .keyStoreMissing: .inputMissing
        case .keyStoreBusy: .tryAgain
        case .wrongPassphrase: .noPermission
        case .keyStore: .configuration
        default: .failure
        }
    }
}
