import COpenSSL

/// OpenSSL and the end of the process.
package enum OpenSSLProcess {
    private static let isKept = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Keeps OpenSSL until the process is gone. Else it goes when `exit` is called, and a thread that signs or verifies at
    /// that moment ends the process with a signal. It counts only before anything else has used OpenSSL.
    package static func keep() { _ = isKept }
}
