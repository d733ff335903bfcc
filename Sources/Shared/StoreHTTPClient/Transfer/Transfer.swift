import CCurl
import Foundation
import StoreHTTP

/// One request in libcurl's hands. Belongs to the client's thread from its making to its end.
///
/// libcurl's callbacks find it by a pointer that counts for nothing: the thread keeps it until the handle is gone.
final class Transfer {
    let exchange: Exchange
    let easy: EasyHandle
    private let configuration: HTTPClientConfiguration
    private var reader: HeadReader
    private var upload: UploadSource
    private var deliveredHead: ResponseHead?
    /// Why one of the callbacks ended it.
    private var stopped: HTTPClientError?
    private var refusedAddress: NetworkAddress?
    private var openedSockets = 0

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

    // MARK: What libcurl asks

    /// A line of a head, or of what follows a body.
    func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        switch reader.read(line) {
        case .more: return true
        case .refused(let error): return stop(error)
        case .complete(let head): return deliver(head)
        }
    }

    /// A piece of the body: how many bytes were taken, or the word for waiting.
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

    /// A socket for an address, or nothing if it must not be reached.
    func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let family = address.pointee.family
        if family != AF_UNIX, configuration.proxy == .direct {
            let numeric = withUnsafePointer(to: &address.pointee.addr) {
                NetworkAddress($0, family: family, length: Int(address.pointee.addrlen))
            }
            guard let numeric, configuration.addresses.allows(numeric) else {
                refusedAddress = numeric
                return CURL_SOCKET_BAD
            }
        }
        openedSockets += 1
        return socket(family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    // MARK: The end

    /// Ends it for those who wait: called exactly once, after libcurl has let go of the handle.
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

    /// What the other side may have done.
    var outcome: HTTPClientError.Outcome {
        if deliveredHead != nil { return .answered }
        return easy.number(CURLINFO_REQUEST_SIZE) == 0 ? .notSent : .unknown
    }

    var status: HTTPStatus? { deliveredHead?.status }

    /// The address that kept it from being sent, if no other was let through.
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
