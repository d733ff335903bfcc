import CCurl

/// The unfinished transfers. Belongs to the client's thread.
struct TransferTable: ~Copyable {
    private let multi: MultiHandle
    private let configuration: HTTPClientConfiguration
    private var transfers: [ObjectIdentifier: Transfer] = [:]

    init(_ multi: consuming MultiHandle, _ configuration: HTTPClientConfiguration) {
        self.multi = multi
        self.configuration = configuration
    }

    /// Executes a command; returns how many exchanges it ended.
    mutating func apply(_ command: LoopCommand) -> Int {
        switch command {
        case .begin(let exchange): return begin(exchange)
        case .cancel(let exchange):
            guard let transfer = remove(exchange) else { return 0 }
            transfer.end(.abandoned)
            return 1
        case .wake(let exchange):
            guard let transfer = transfers[ObjectIdentifier(exchange)] else { return 0 }
            let result = curl_easy_pause(transfer.easy.pointer, CURLPAUSE_CONT)
            // A transfer without a connection cannot be paused; it reads when it has one.
            guard result != CURLE_OK, result != CURLE_BAD_FUNCTION_ARGUMENT, remove(exchange) != nil else { return 0 }
            transfer.end(result)
            return 1
        }
    }

    private mutating func begin(_ exchange: Exchange) -> Int {
        do throws(HTTPClientError) {
            guard !exchange.isCancelled else {
                throw HTTPClientError.abandoned.withOutcome(.notSent, status: nil)
            }
            let transfer = try Transfer(exchange, configuration)
            guard curl_multi_add_handle(multi.pointer, transfer.easy.pointer) == CURLM_OK else {
                throw HTTPClientError(.failed, "libcurl does not take the request.", outcome: .notSent)
            }
            transfers[ObjectIdentifier(exchange)] = transfer
            return 0
        } catch {
            exchange.conclude()
            exchange.receiver.end(.failure(error))
            return 1
        }
    }

    /// Performs all transfers; returns how many ended.
    mutating func perform() -> Int {
        multi.perform()
        var count = 0
        while let ended = multi.nextEnded() {
            var pointer: UnsafeMutableRawPointer?
            _ = till_curl_info_pointer(ended.easy, CURLINFO_PRIVATE, &pointer)
            guard let transfer = TransferCallbacks.transfer(pointer), remove(transfer.exchange) != nil else { continue }
            transfer.end(ended.result)
            count += 1
        }
        return count
    }

    func wait() { multi.poll() }

    /// Ends all transfers; returns how many.
    mutating func endAll(_ error: HTTPClientError) -> Int {
        let all = Array(transfers.values)
        for transfer in all where remove(transfer.exchange) != nil { transfer.end(error) }
        return all.count
    }

    /// Removes a transfer from libcurl, after which none of its callbacks runs.
    private mutating func remove(_ exchange: Exchange) -> Transfer? {
        guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(exchange)) else { return nil }
        _ = curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
        return transfer
    }
}
