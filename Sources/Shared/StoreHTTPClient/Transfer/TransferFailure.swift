import CCurl
import StoreHTTP

/// What libcurl's result means.
struct TransferFailure {
    let error: HTTPClientError

    init(_ code: CURLcode, _ transfer: Transfer) {
        let place = transfer.exchange.url.place
        let reason = transfer.easy.failure.isEmpty ? String(cString: curl_easy_strerror(code)) : transfer.easy.failure
        let (kind, words) = Self.meaning(of: code, transfer)
        error = HTTPClientError(
            kind, "\(words) (\(place)): \(reason).", outcome: transfer.outcome, status: transfer.status)
    }

    private static func meaning(of code: CURLcode, _ transfer: Transfer) -> (HTTPClientError.Code, String) {
        if code == CURLE_COULDNT_CONNECT, let address = transfer.onlyRefusedAddress {
            let words = "The host leads to a \(address.kind.rawValue) address, which this client must not reach"
            return (.addressRefused, words)
        }
        // Without a head, memory ends where libcurl's own limit for one line does.
        if code == CURLE_OUT_OF_MEMORY, transfer.outcome == .unknown {
            return (.responseTooLarge, "The header of the response has a line that is too long")
        }
        return meanings.first { $0.codes.contains(code) }.map { ($0.kind, $0.words) }
            ?? (.failed, "The request failed")
    }

    private struct Meaning: Sendable {
        let kind: HTTPClientError.Code
        let words: String
        let codes: [CURLcode]

        init(_ kind: HTTPClientError.Code, _ words: String, _ codes: CURLcode...) {
            self.kind = kind
            self.words = words
            self.codes = codes
        }
    }

    private static let meanings: [Meaning] = [
        Meaning(
            .nameUnknown, "The name of the host cannot be resolved; check it and the network",
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY),
        Meaning(
            .unreachable, "No connection could be made; check that the server runs and can be reached",
            CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_PROXY, CURLE_INTERFACE_FAILED),
        Meaning(.timedOut, "The time for the request is over", CURLE_OPERATION_TIMEDOUT),
        Meaning(
            .untrusted, "The server could not prove who it is; nothing was sent to it",
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS),
        Meaning(
            .settings, "A setting of the client cannot be used",
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_UNKNOWN_OPTION,
            CURLE_BAD_FUNCTION_ARGUMENT, CURLE_NOT_BUILT_IN),
        Meaning(
            .connectionLost, "The connection ended before the response was complete",
            CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND),
        Meaning(
            .responseMalformed, "What came is not a proper response",
            CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL),
        Meaning(.requestMalformed, "The URL cannot be used", CURLE_URL_MALFORMAT),
    ]
}
