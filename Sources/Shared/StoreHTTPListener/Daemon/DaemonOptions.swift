import CMicroHTTPD
import Glibc

/// The options of the library for our limits.
struct DaemonOptions {
    private let limits: ListenerLimits
    private let socket: Int32
    private let identity: (certificate: String, key: String)?

    init(_ limits: ListenerLimits, socket: Int32, identity: (certificate: String, key: String)?) {
        self.limits = limits
        self.socket = socket
        self.identity = identity
    }

    /// Starts a daemon; nil if the library refuses.
    func start(_ context: UnsafeMutableRawPointer) -> OpaquePointer? {
        var flags = MHD_USE_EPOLL.rawValue | MHD_USE_INTERNAL_POLLING_THREAD.rawValue | MHD_USE_TURBO.rawValue
        flags |= MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ITC.rawValue | MHD_USE_ERROR_LOG.rawValue
        if identity != nil { flags |= MHD_USE_TLS.rawValue }
        // The library copies texts while it starts.
        let texts = identity.map { [strdup($0.key), strdup($0.certificate), strdup(TLSFiles.priorities)] } ?? []
        defer { for text in texts { free(text) } }
        var items = items()
        if texts.count == 3 {
            items.append(item(.HTTPS_MEM_KEY, text: texts[0]))
            items.append(item(.HTTPS_MEM_CERT, text: texts[1]))
            items.append(item(.HTTPS_PRIORITIES, text: texts[2]))
        }
        items.append(item(.END, 0))
        var callbacks = DaemonCallbacks.all
        return till_start_daemon(flags, &callbacks, context, &items)
    }

    private func items() -> [MHD_OptionItem] {
        // One thread may get all connections. What is beyond our own limit gets an answer, so that the library's, which
        // is that of a thread, has to be wider.
        let most = limits.connections + max(64, limits.connections / 2)
        return [
            item(.LISTEN_SOCKET, Int(socket)),
            item(.CONNECTION_MEMORY_LIMIT, limits.connectionBytes),
            item(.CONNECTION_LIMIT, most),
            // The watchdog counts time: the library knows only idle clients, not slow ones.
            item(.CONNECTION_TIMEOUT, 0),
            // What is wrong is refused by us, with an answer; the library would close without one.
            item(.STRICT_FOR_CLIENT, 0),
        ]
    }

    private func item(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: nil)
    }

    private func item(_ option: MHD_OPTION, text: UnsafeMutablePointer<CChar>?) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: 0, ptr_value: text)
    }
}
