import CMicroHTTPD
import Glibc
import StoreHTTP
import Synchronization

/// One daemon of the library, which is one thread, with a descriptor of its own for the listening socket.
///
/// The library closes a socket that it could not start with, and aborts the process if it is told to stop accepting on
/// one thread while another one polls that socket. So each daemon gets a duplicate, has no pool of threads, and is
/// stopped on its own thread, by a connection that signals it.
final class DaemonThread: Sendable {
    // Safe: the library locks its daemons itself, and the pointer is not used after stop().
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let handle: Handle
    private let listening: Int32
    /// The context pointer of the library.
    private let owner: Unmanaged<ServingDaemon>
    private let signal = Atomic<Int32>(-1)
    private let isListening = Atomic(true)

    /// nil if the library refuses to start; the owner has its message.
    init?(
        _ daemon: ServingDaemon, _ limits: ListenerLimits, socket: ListeningSocket,
        identity: (certificate: String, key: String)?
    ) {
        listening = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        owner = Unmanaged.passRetained(daemon)
        let options = DaemonOptions(limits, socket: listening, identity: identity)
        guard let pointer = options.start(owner.toOpaque()) else {
            // The library has closed the descriptor.
            owner.release()
            return nil
        }
        handle = Handle(pointer: pointer)
    }

    /// Makes the thread stop accepting, and returns when it has.
    func stopAccepting() {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return }
        defer { close(pair[1]) }
        signal.store(pair[0], ordering: .sequentiallyConsistent)
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNIX)
        guard
            MHD_add_connection(handle.pointer, pair[0], &address, socklen_t(MemoryLayout<sa_family_t>.size)) == .YES
        else { return }
        // The thread sends a byte as soon as it has stopped.
        var waiting = pollfd(fd: pair[1], events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 10_000)
    }

    /// Whether a new connection is the signal to stop accepting; if so, stops. Called on the thread.
    func isSignal(_ descriptor: Int32) -> Bool {
        guard signal.load(ordering: .sequentiallyConsistent) == descriptor else { return false }
        signal.store(-1, ordering: .sequentiallyConsistent)
        MHD_quiesce_daemon(handle.pointer)
        isListening.store(false, ordering: .sequentiallyConsistent)
        send(descriptor, "x", 1, Int32(MSG_NOSIGNAL))
        return true
    }

    /// Takes in a connection that was established but not accepted; false if there is none.
    func adopt(from socket: Int32) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let peer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            let accepted = accept(socket, peer, &length)
            guard accepted >= 0 else { return false }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
            return MHD_add_connection(handle.pointer, accepted, peer, length) == .YES
        }
    }

    /// Joins the thread. It must have stopped accepting, or the library closes the descriptor too.
    func stop() {
        if isListening.load(ordering: .sequentiallyConsistent) { stopAccepting() }
        MHD_stop_daemon(handle.pointer)
        close(listening)
        owner.release()
    }
}

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
        // One thread may get all connections. Connections beyond our own limit get an answer, so the library's limit,
        // which is per thread, has to be higher.
        let most = limits.connections + max(64, limits.connections / 2)
        return [
            item(.LISTEN_SOCKET, Int(socket)),
            item(.CONNECTION_MEMORY_LIMIT, limits.connectionBytes),
            item(.CONNECTION_LIMIT, most),
            // The watchdog counts time: the library knows only idle clients, not slow ones.
            item(.CONNECTION_TIMEOUT, 0),
            // We refuse bad requests with an answer; the library would close without one.
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

/// The library's callbacks, forwarded to our objects.
enum DaemonCallbacks {
    static let all = till_daemon_callbacks(
        serve: serve, target: target, completed: completed, connection: connectionChanged, log: log)

    /// The first line of a request is there: its exchange begins.
    private static let target:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            _, target, handle in
            guard let target, let handle, let connection = connection(of: handle) else { return nil }
            let exchange = Exchange(connection, ConnectionHandle(pointer: handle), target: target)
            till_end_query(target)
            return Unmanaged.passRetained(exchange).toOpaque()
        }

    private static let serve: MHD_AccessHandlerCallback = { _, handle, _, method, version, data, size, slot in
        guard let method, let version, let size, let exchange = slot?.pointee else { return .NO }
        return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
            .serve(method, version, UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee), size)
    }

    private static let completed: MHD_RequestCompletedCallback = { _, _, slot, reason in
        guard let slot, let exchange = slot.pointee else { return }
        slot.pointee = nil
        Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue()
            .end(isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
    }

    private static let connectionChanged: MHD_NotifyConnectionCallback = { context, handle, slot, event in
        guard let context, let handle, let slot else { return }
        if event == .CONNECTION_NOTIFY_STARTED {
            let daemon = Unmanaged<ServingDaemon>.fromOpaque(context).takeUnretainedValue()
            let socket = till_socket(handle)
            guard !daemon.isSignal(socket) else { return }
            let peer = SocketAddress.peer(till_peer(handle))
            let admission = daemon.core.open(for: peer)
            let connection = ListenerConnection(socket, peer: peer, admission, daemon: daemon)
            daemon.add(connection)
            if admission == .refused { connection.refuse() }
            slot.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let pointer = slot.pointee {
            slot.pointee = nil
            let connection = Unmanaged<ListenerConnection>.fromOpaque(pointer).takeRetainedValue()
            connection.close()
            connection.daemon.remove(connection)
        }
    }

    private static let log: MHD_LogCallback = { context, format, arguments in
        guard let context, let format, let arguments else { return }
        var text = [CChar](repeating: 0, count: 512)
        vsnprintf(&text, text.count, format, arguments)
        let message = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Unmanaged<ServingDaemon>.fromOpaque(context).takeUnretainedValue().note(message)
    }

    private static func connection(of handle: OpaquePointer) -> ListenerConnection? {
        till_socket_context(handle).map { Unmanaged<ListenerConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The library's pointer to a connection.
// Safe: the library allows suspending and resuming from any thread, and an exchange uses it only during its lifetime.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}
