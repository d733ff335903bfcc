import COpenSSL

/// Turns OpenSSL's thread-local error queue into a ``SigningError``, and keeps that queue empty between calls.
enum OpenSSLFailure {
    /// The newest reason in the queue, after which the queue is empty.
    static func takeReason() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0 else { return "no reason given" }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The error to throw when an OpenSSL call that should succeed did not.
    static func error(_ action: String, code: SigningError.Code = .cryptography) -> SigningError {
        SigningError(code, "\(action): \(takeReason())")
    }

    /// Throws unless an OpenSSL call answered 1, its sign of success.
    static func check(_ result: Int32, _ action: @autoclosure () -> String) throws {
        if result != 1 { throw error(action()) }
    }

    /// Unwraps what an OpenSSL constructor returned.
    static func unwrap<Pointer>(_ pointer: Pointer?, _ action: @autoclosure () -> String) throws -> Pointer {
        guard let pointer else { throw error(action()) }
        return pointer
    }
}
