import CCurl
import Synchronization

/// Owns one of libcurl's transfers and everything that must live as long. Belongs to the client's thread.
final class EasyHandle {
    /// How many there are in this process.
    static var count: Int { counter.load(ordering: .relaxed) }

    private static let counter = Atomic<Int>(0)

    let pointer: UnsafeMutableRawPointer
    private var list: UnsafeMutablePointer<curl_slist>?
    private let reason: UnsafeMutablePointer<CChar>

    init() throws(HTTPClientError) {
        guard LibCurl.isReady, let pointer = curl_easy_init() else {
            throw HTTPClientError(.failed, "There is no memory for a request.", outcome: .notSent)
        }
        self.pointer = pointer
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        Self.counter.add(1, ordering: .relaxed)
        try set(CURLOPT_ERRORBUFFER, pointer: reason)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(list)
        reason.deallocate()
        Self.counter.subtract(1, ordering: .relaxed)
    }

    /// libcurl's own words about what went wrong; printable, and never long.
    var failure: String {
        String(String(cString: reason).unicodeScalars.prefix(200).filter { $0.value >= 0x20 && $0.value != 0x7F })
    }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPClientError) {
        try check(till_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(HTTPClientError) {
        try set(option, value ? 1 : 0)
    }

    func set(_ option: CURLoption, size value: Int) throws(HTTPClientError) {
        try check(till_curl_set_size(pointer, option, curl_off_t(value)))
    }

    /// libcurl keeps a copy of the text.
    func set(_ option: CURLoption, _ text: String?) throws(HTTPClientError) {
        try check(till_curl_set_text(pointer, option, text))
    }

    func set(_ option: CURLoption, bytes: [UInt8]) throws(HTTPClientError) {
        try check(till_curl_set_copied_bytes(pointer, option, bytes, bytes.count))
    }

    func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(HTTPClientError) {
        try check(till_curl_set_pointer(pointer, option, value))
    }

    /// The lines of the header, which live as long as this handle.
    func set(lines: [String]) throws(HTTPClientError) {
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                throw HTTPClientError(.failed, "There is no memory for the header.", outcome: .notSent)
            }
            list = longer
        }
        try set(CURLOPT_HTTPHEADER, pointer: list)
    }

    func check(_ code: CURLcode) throws(HTTPClientError) {
        guard code != CURLE_OK else { return }
        let message = "libcurl does not take a setting: \(String(cString: curl_easy_strerror(code)))."
        throw HTTPClientError(.settings, message, outcome: .notSent)
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return till_curl_info_long(pointer, info, &value) == CURLE_OK ? value : 0
    }
}
