import CMicroHTTPD
import Glibc
import StoreHTTP

/// Reads the head of a request from the library and refuses what two programs could read differently.
///
/// The library is lenient: it accepts bare line feeds, folded lines, NUL, spaces before colons, several lengths. It
/// parses in place, so the addresses of the parts show whether each line ended with CR LF directly after what was read
/// of it. Only addresses are compared; nothing is read beyond the parts.
struct HeadReader {
    /// How the body is delimited.
    enum Framing: Hashable {
        case none
        case length(Int)
        case chunked
    }

    private(set) var fields = HTTPFields()
    private(set) var framing = Framing.none
    private(set) var expectsContinue = false
    private var hosts = 0
    private var lengths = 0
    private var codings = 0
    private var refusal: HeadRefusal?
    /// Where the next line has to begin.
    private var next: Int

    private init(firstLineEnd: Int) {
        next = firstLineEnd + 2
    }

    static func read(
        _ handle: ConnectionHandle, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, target: TargetText,
        limits: ListenerLimits
    ) throws(HeadRefusal) -> HeadReader {
        let size = till_head_size(handle.pointer)
        guard size <= limits.headBytes else {
            let isTarget = target.length > HTTPLimits.targetBytes
            throw HeadRefusal(
                isTarget ? .targetTooLong : .fieldsTooLarge, "The head exceeds \(limits.headBytes) bytes.")
        }
        let start = Int(bitPattern: method)
        guard target.address == start + strlen(method) + 1,
            Int(bitPattern: version) == target.address + target.length + 1
        else { throw HeadRefusal("The first line is not a method, a target and a version with one space between.") }
        var reader = HeadReader(firstLineEnd: Int(bitPattern: version) + strlen(version))
        withUnsafeMutablePointer(to: &reader) { pointer in
            _ = MHD_get_connection_values_n(handle.pointer, .HEADER_KIND, Self.collect, pointer)
        }
        try reader.check(end: start + size, isOld: strcmp(version, "HTTP/1.0") == 0)
        return reader
    }

    private static let collect: MHD_KeyValueIteratorN = { context, _, start, nameSize, value, valueSize in
        guard let context, let start else { return .NO }
        let reader = context.assumingMemoryBound(to: HeadReader.self)
        let name = UnsafeRawBufferPointer(start: start, count: nameSize)
        reader.pointee.add(name, UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
        return reader.pointee.refusal == nil ? .YES : .NO
    }

    /// With so many fields a head of the longest kind leaves too little of the connection's memory for an answer.
    private static let mostFields = HTTPLimits.fields * 3 / 2

    private mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard fields.all.count < Self.mostFields else { return refuse(.tooManyFields) }
        guard Int(bitPattern: name.baseAddress) == next else { return refuse(.lineEnds) }
        next = Int(bitPattern: value.baseAddress) + value.count + 2
        guard FieldText.isName(name), FieldText.isValue(value) else {
            return refuse(HeadRefusal("A field has a name or a value with characters that have no place there."))
        }
        let trimmed = FieldText.trimmed(value)
        let text = FieldText.string(trimmed)
        if name.count == 4, FieldText.equals(name, "host") {
            hosts += 1
            if !FieldText.isAuthority(trimmed) {
                return refuse(HeadRefusal("The field Host is not a name with or without a port."))
            }
        } else {
            note(name, text, isTrimmed: trimmed.count == value.count)
        }
        fields.add(FieldText.string(name), text)
    }

    /// Takes note of the fields that delimit the request.
    private mutating func note(_ name: UnsafeRawBufferPointer, _ value: String, isTrimmed: Bool) {
        switch name.count {
        case 6 where FieldText.equals(name, "expect"):
            expectsContinue = FieldText.equals(value, "100-continue")
            if !expectsContinue { refuse(.expectation) }
        case 14 where FieldText.equals(name, "content-length"):
            lengths += 1
            guard !value.isEmpty, value.utf8.count < 19, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int(value)
            else { return refuse(HeadRefusal("The field Content-Length is not a number.")) }
            framing = length == 0 ? .none : .length(length)
        case 17 where FieldText.equals(name, "transfer-encoding"):
            codings += 1
            // The library takes the value as chunked only if there is nothing around it.
            guard FieldText.equals(value, "chunked"), isTrimmed else { return refuse(.coding) }
            framing = .chunked
        default: break
        }
    }

    private func check(end: Int, isOld: Bool) throws(HeadRefusal) {
        if let refusal { throw refusal }
        guard next + 2 == end else { throw .lineEnds }
        guard hosts == 1 || isOld && hosts == 0 else { throw HeadRefusal("A request needs the field Host, once.") }
        guard lengths <= 1, codings <= 1, lengths + codings <= 1, !isOld || codings == 0 else {
            throw HeadRefusal(
                "The length of the body is given in more than one way, or in an unknown one.")
        }
    }

    private mutating func refuse(_ refusal: HeadRefusal) {
        if self.refusal == nil { self.refusal = refusal }
    }
}

/// Why the head of a request cannot be trusted. The connection is closed after the answer.
struct HeadRefusal: Error, Hashable {
    let status: HTTPStatus
    let reason: String

    init(_ status: HTTPStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    init(_ reason: String) { self.init(.badRequest, reason) }

    var response: HTTPResponse {
        var response = HTTPResponse.text(reason + "\n", status: status)
        response.fields["Connection"] = "close"
        if status == .unavailable { response.fields["Retry-After"] = "1" }
        return response
    }

    static let surplusConnection = HeadRefusal(.unavailable, "Too many connections are open; come back later.")
    static let surplusRequest = HeadRefusal(.unavailable, "Too many requests are at work; come back later.")
    static let tooManyFields = HeadRefusal(.fieldsTooLarge, "The header has too many fields.")
    static let slowAnswer = HeadRefusal(.unavailable, "The answer took too long.")
    static let lineEnds = HeadRefusal("The header has a line that is folded, or does not end with CR LF.")
    static let expectation = HeadRefusal(HTTPStatus(rawValue: 417), "Nothing but 100-continue can be expected here.")
    static let coding = HeadRefusal(HTTPStatus(rawValue: 501), "The only transfer coding here is chunked.")
}

/// The characters allowed in heads (RFC 9110 §5).
enum FieldText {
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
        case UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isNameByte($0) }
    }

    /// Whether there is no control character but tabs in it.
    static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    static func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Compares without regard to case; `word` is in small letters.
    static func equals(_ bytes: some Sequence<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            bytes.elementsEqual(word) { byte, small in
                byte == small || (0x41...0x5A).contains(byte) && byte | 0x20 == small
            }
        }
    }

    static func equals(_ text: String, _ word: StaticString) -> Bool { equals(text.utf8, word) }

    /// A name or an address, with or without a port.
    static func isAuthority(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                isNameByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            }
    }
}

/// The target of a request as in the first line, and its position.
struct TargetText: Sendable {
    let text: String
    let address: Int
    let length: Int

    init(_ pointer: UnsafePointer<CChar>) {
        text = String(cString: pointer)
        address = Int(bitPattern: pointer)
        var end = pointer
        while end.pointee != 0 { end += 1 }
        length = end - pointer
    }
}
