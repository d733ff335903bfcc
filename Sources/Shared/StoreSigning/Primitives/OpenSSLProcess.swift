import COpenSSL

/// OpenSSL as a part of the process.
package enum OpenSSLProcess {
    /// Lets the process end at any moment. OpenSSL takes itself apart at `exit()`, while threads that still use it, or end just
    /// then, read and free what is gone; the system does that without it. To be called before anything else of it is used.
    package static func leaveWholeAtExit() {
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }
}
