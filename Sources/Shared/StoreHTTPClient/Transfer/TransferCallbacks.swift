import CCurl

/// The functions that libcurl calls, on the client's thread, with the transfer they were installed for.
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
