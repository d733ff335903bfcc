import CMicroHTTPD
import Glibc
import StoreHTTP
import Synchronization

/// What the library calls, turned into calls of our objects.
enum DaemonCallbacks {
    static let all = till_daemon_callbacks(
        serve: serve, target: target, completed: completed, connection: connectionChanged, log: log)

    /// The first line of a request is there: its exchange begins.
    private static let target:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            _, target, handle in
            guard let target, let handle, let connection = connection(of: handle) else { return nil }
            let exchange = Exchange(connection, ConnectionHandle(pointer: handle), target: target)
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
            let connection = ListenerConnection(
                socket, peer: peer, isSurplus: !daemon.core.open(for: peer), daemon: daemon)
            daemon.add(connection)
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
// Safe: the library allows suspending and resuming from any thread, and an exchange uses it only while it lasts.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}
