import CommandOptions
import ContentPackage
import StoreBackend
import StoreDatabase
import StoreHTTPListener
import StoreService
import StoreSigning
import TestProcessor

/// Why a command failed, and its exit status for scripts.
struct CommandFailure: Error, CustomStringConvertible {
    let exitCode: ExitCode
    let message: String
    /// The code by which the store refused; nil if it was something else.
    var refusal: String?

    /// The message, as logs have it.
    var description: String { message }

    init(_ exitCode: ExitCode, _ message: String, refusal: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.refusal = refusal
    }

    /// The failure of a command for any error.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as SigningError: self.init(Self.exitCode(error.code), error.message)
        case let error as ListenerError: self.init(Self.exitCode(error.code), error.description)
        case let error as UpkeepError: self.init(Self.exitCode(of: error.code), error.message)
        case let error as TestProcessorLogError: self.init(Self.exitCode(error.code), error.message)
        case let error as ContentError: self.init(Self.exitCode(error.code), error.message)
        case let error as DatabaseError: self.init(Self.exitCode(error.code), error.message)
        case let error as BackendError: self.init(Self.exitCode(of: error.code), error.message)
        default: self.init(.failure, "\(error)")
        }
    }

    private static func exitCode(_ code: ListenerError.Code) -> ExitCode {
        switch code {
        case .addressInUse, .addressInvalid: .unavailable
        case .identityUnreadable: .inputMissing
        case .pathOccupied: .configuration
        default: .failure
        }
    }

    static func exitCode(of code: UpkeepError.Code) -> ExitCode {
        switch code {
        case .noBackup: .inputMissing
        case .damaged, .unsuitable: .badData
        case .occupied: .cannotCreate
        case .inputOutput: .inputOutput
        case .program: .unavailable
        default: .failure
        }
    }

    private static func exitCode(_ code: TestProcessorLogError.Code) -> ExitCode {
        switch code {
        case .damaged: .configuration
        case .inputOutput: .inputOutput
        case .busy: .tryAgain
        default: .failure
        }
    }

    private static func exitCode(_ code: ContentError.Code) -> ExitCode {
        switch code {
        case .full, .inputOutput: .inputOutput
        case .damaged, .refused, .notAPackage, .tooLarge: .badData
        case .occupied: .cannotCreate
        case .missing: .inputMissing
        default: .failure
        }
    }

    private static func exitCode(_ code: DatabaseError.Code) -> ExitCode {
        switch code {
        case .busy: .tryAgain
        case .unavailable: .unavailable
        case .full, .inputOutput: .inputOutput
        case .corrupt, .schema: .configuration
        default: .failure
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
