import CCurl
import Foundation
import StoreHTTP

/// One request that libcurl is performing. Belongs to the client's thread.
///
/// libcurl's callbacks find it by an unretained pointer: the thread retains it until the handle is gone.
final class Transfer {
    let exchange: Exchange
    let easy: EasyHandle
    private let configuration: HTTPClientConfiguration
    private var reader: HeadReader
    private var upload: UploadSource
    private var deliveredHead: ResponseHead?
    /// The error of a callback that ended it.
    private var stopped: HTTPClientError?
    private var refusedAddress: NetworkAddress?
    private var openedSockets = 0
    /// Whether a line of a response arrived.
    private(set) var hasBegun = false

    init(_ exchange: Exchange, _ configuration: HTTPClientConfiguration) throws(HTTPClientError) {
        self.exchange = exchange
        self.configuration = configuration
        reader = HeadReader(limits: configuration.limits)
        easy = try EasyHandle()
        upload = UploadSource(exchange)
        do {
            try EasyOptions(exchange: exchange, configuration: configuration).apply(to: easy)
            try TransferCallbacks.install(on: self)
        } catch {
            upload.end()
            throw error
        }
    }

    // MARK: libcurl's callbacks

    /// A line of a head or of the trailers.
    func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        hasBegun = true
        switch reader.read(line) {
        case .more: return true
        case .refused(let error): return stop(error)
        case .complete(let head): return deliver(head)
        }
    }

    /// A piece of the body: returns how many bytes were taken, or the value that pauses.
    func receivePiece(_ piece: UnsafeRawBufferPointer) -> Int {
        switch exchange.receiver.receive(piece, of: exchange) {
        case .taken: return piece.count
        case .later: return Int(CURL_WRITEFUNC_PAUSE)
        case .refused(let error):
            _ = stop(error)
            return 0
        }
    }

    func readUpload(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch upload.read(into: buffer) {
        case .bytes(let count): return count
        case .later: return Int(CURL_READFUNC_PAUSE)
        case .failed(let error):
            _ = stop(error)
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func seekUpload(to offset: Int) -> Bool { upload.seek(to: offset) }

    /// A socket for an address, or `CURL_SOCKET_BAD` if it must not be reached.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let family = address.pointee.family
        if family != AF_UNIX, configuration.proxy == .direct {
            let numeric = withUnsafePointer(to: &address.pointee.addr) {
                NetworkAddress($0, family: family, length: Int(address.pointee.addrlen))
            }
            guard let numeric, addresses.allows(numeric) else {
                refusedAddress = numeric
                return CURL_SOCKET_BAD
            }
        }
        openedSockets += 1
        return socket(family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    private var addresses: AddressGuard { exchange.request.addresses ?? configuration.addresses }

    // MARK: The end

    /// Ends the exchange: called exactly once, after libcurl has released the handle.
    func end(_ code: CURLcode) {
        if code == CURLE_OK {
            conclude(.success(()))
        } else {
            conclude(.failure(stopped.map(known) ?? TransferFailure(code, self).error))
        }
    }

    func end(_ error: HTTPClientError) { conclude(.failure(known(error))) }

    private func conclude(_ result: Result<Void, HTTPClientError>) {
        exchange.conclude()
        upload.end()
        exchange.receiver.end(result)
    }

    /// The error with what is known of the request at this moment.
    private func known(_ error: HTTPClientError) -> HTTPClientError {
        error.withOutcome(outcome, status: deliveredHead?.status)
    }

    /// What the server may have done.
    var outcome: HTTPClientError.Outcome {
        if deliveredHead != nil { return .answered }
        return easy.number(CURLINFO_REQUEST_SIZE) == 0 ? .notSent : .unknown
    }

    var status: HTTPStatus? { deliveredHead?.status }

    /// The address that was refused, if no other was allowed.
    var onlyRefusedAddress: NetworkAddress? { openedSockets == 0 ? refusedAddress : nil }

    private func deliver(_ head: ResponseHead) -> Bool {
        deliveredHead = head
        if let error = exchange.receiver.receive(head, of: exchange) { return stop(error) }
        return true
    }

    private func stop(_ error: HTTPClientError) -> Bool {
        stopped = stopped ?? error
        return false
    }
}

/// libcurl's callbacks, on the client's thread, with the transfer they were installed for.
enum TransferCallbacks {
    static func install(on transfer: Transfer) throws(HTTPClientError) {
        let easy = transfer.easy
        let pointer = Unmanaged.passUnretained(transfer).toOpaque()
        try easy.set(CURLOPT_PRIVATE, pointer: pointer)
        try easy.set(CURLOPT_HEADERDATA, pointer: pointer)
        try easy.set(CURLOPT_WRITEDATA, pointer: pointer)
        try easy.set(CURLOPT_READDATA, pointer: pointer)
        try easy.set(CURLOPT_SEEKDATA, pointer: pointer)
        try easy.set(CURLOPT_OPENSOCKETDATA, pointer: pointer)
        try easy.check(till_curl_on_write(easy.pointer, CURLOPT_HEADERFUNCTION, receiveLine))
        try easy.check(till_curl_on_write(easy.pointer, CURLOPT_WRITEFUNCTION, receivePiece))
        try easy.check(till_curl_on_read(easy.pointer, readUpload))
        try easy.check(till_curl_on_seek(easy.pointer, seekUpload))
        try easy.check(till_curl_on_open_socket(easy.pointer, openSocket))
    }

    /// The transfer behind a pointer; nil only if libcurl lost it.
    static func transfer(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let receiveLine: curl_write_callback = { bytes, size, count, pointer in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer(pointer)?.receiveLine(line) == true ? line.count : 0
    }

    private static let receivePiece: curl_write_callback = { bytes, size, count, pointer in
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer(pointer)?.receivePiece(piece) ?? 0
    }

    private static let readUpload: curl_read_callback = { bytes, size, count, pointer in
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return transfer(pointer)?.readUpload(into: buffer) ?? Int(CURL_READFUNC_ABORT)
    }

    private static let seekUpload: curl_seek_callback = { pointer, offset, origin in
        guard origin == SEEK_SET, transfer(pointer)?.seekUpload(to: Int(offset)) == true else {
            return Int32(CURL_SEEKFUNC_FAIL)
        }
        return Int32(CURL_SEEKFUNC_OK)
    }

    private static let openSocket: curl_opensocket_callback = { pointer, purpose, address in
        guard purpose == CURLSOCKTYPE_IPCXN, let address, let transfer = transfer(pointer) else {
            return CURL_SOCKET_BAD
        }
        return transfer.openSocket(address)
    }
}
