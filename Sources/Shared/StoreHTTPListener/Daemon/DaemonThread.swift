import CMicroHTTPD
import Glibc
import Synchronization

/// One daemon of the library, which is one thread, with a descriptor of its own for the listening socket.
///
/// The library closes a socket that it could not start with, and aborts the process if it is told to stop accepting on
/// one thread while another one polls that socket. So each daemon gets a duplicate, has no pool of threads, and is told
/// on its own thread: by a connection that announces itself there.
final class DaemonThread: Sendable {
    // Safe: the library locks its daemons itself, and nobody uses the pointer after stop().
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let handle: Handle
    private let listening: Int32
    /// What the library holds as its context.
    private let owner: Unmanaged<ServingDaemon>
    private let signal = Atomic<Int32>(-1)
    private let isListening = Atomic(true)

    /// Nil if the library refuses to start; it has told the owner why.
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

    /// Makes the thread accept nothing more, and returns when it does not.
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
        // The thread answers by a byte as soon as it has stopped.
        var waiting = pollfd(fd: pair[1], events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 10_000)
    }

    /// Whether a new connection is the sign to stop accepting; if so, does it. Called on the thread.
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

    /// Joins the thread. It has to have stopped accepting, or the library closes the descriptor as well.
    func stop() {
        if isListening.load(ordering: .sequentiallyConsistent) { stopAccepting() }
        MHD_stop_daemon(handle.pointer)
        close(listening)
        owner.release()
    }
}
