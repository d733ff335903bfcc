import CPostgres
import Glibc
import StoreFoundation

/// One connection to a server. One thread uses it, and blocks while it waits for answers.
final class PostgresConnection {
    private let handle: OpaquePointer
    private let abandon: Waker
    /// Whether the server was asked to stop what it does because the database is being closed.
    private(set) var wasAbandoned = false
    /// How long the server may be silent; nil: for ever.
    var silenceMilliseconds: Int?

    /// Connects. What the server is doing when `abandon` wakes up is stopped.
    init(to address: PostgresAddress, abandon: Waker) throws {
        self.abandon = abandon
        let parameters = address.parameters.sorted { $0.key < $1.key }
        let connection = withCStrings(parameters.map(\.key)) { keywords in
            withCStrings(parameters.map(\.value)) { values in PQconnectdbParams(keywords, values, 0) }
        }
        guard let connection else { throw PostgresError(message: "there is not enough memory", isLost: true) }
        handle = connection
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = address.redacted(ownMessage)
            throw PostgresError(message: message, isLost: true)
        }
        till_postgres_ignore_notices(handle)
    }

    deinit {
        PQfinish(handle)
    }

    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }
    var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// What the server says about itself, such as `server_encoding`.
    func serverParameter(_ name: String) -> String? {
        PQparameterStatus(handle, name).map { String(cString: $0) }
    }

    /// Runs statements that are separated by semicolons; gives the last answer, as text.
    @discardableResult
    func run(_ script: String) throws -> PostgresResult {
        try answer { PQsendQuery(handle, script) }
    }

    /// Prepares a statement for parameters of these types; 0 leaves the type to the server.
    func prepare(_ name: [CChar], _ text: String, _ types: [Oid]) throws {
        _ = try answer { PQsendPrepare(handle, name, text, Int32(types.count), types) }
    }

    /// The types of a prepared statement's parameters.
    func parameterTypes(of name: [CChar]) throws -> [Oid] {
        try answer { PQsendDescribePrepared(handle, name) }.parameterTypes
    }

    /// Runs a prepared statement.
    func runPrepared(_ name: [CChar], _ parameters: PostgresParameters) throws -> PostgresResult {
        try parameters.withPointers { count, values, lengths, formats in
            try answer { PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1) }
        }
    }

    /// Runs a statement that is used only once.
    func runOnce(_ text: String, _ types: [Oid], _ parameters: PostgresParameters) throws -> PostgresResult {
        try parameters.withPointers { count, values, lengths, formats in
            try answer { PQsendQueryParams(handle, text, count, types, values, lengths, formats, 1) }
        }
    }

    /// Waits for notifications so long, or until `waker` wakes up; hands over those that came.
    func awaitNotifications(milliseconds: Int, _ waker: Waker, _ receive: (String) -> Void) throws {
        // Some may have come with the answer to a statement.
        if handOver(receive) > 0 { return }
        _ = wait(for: waker, milliseconds: milliseconds)
        guard PQconsumeInput(handle) == 1 else { throw lostError }
        _ = handOver(receive)
    }

    private func handOver(_ receive: (String) -> Void) -> Int {
        var count = 0
        while let notification = PQnotifies(handle) {
            if let payload = notification.pointee.extra { receive(String(cString: payload)) }
            PQfreemem(notification)
            count += 1
        }
        return count
    }

    private func answer(to send: () -> Int32) throws -> PostgresResult {
        guard !isLost, send() == 1 else { throw lostError }
        var last: PostgresResult?
        var failure: PostgresError?
        while let result = try nextResult() {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = result
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                throw PostgresError(message: "copying is not possible here", isLost: true)
            default: failure = failure ?? PostgresError(result, isLost: false)
            }
        }
        if isLost { throw failure?.lost ?? lostError }
        if let failure { throw failure }
        guard let last else { throw lostError }
        return last
    }

    private func nextResult() throws -> PostgresResult? {
        while PQisBusy(handle) != 0 {
            try awaitAnswer()
            // If this fails, the connection is lost, and the next result says why.
            if PQconsumeInput(handle) != 1 { break }
        }
        return PQgetResult(handle).map(PostgresResult.init)
    }

    private func awaitAnswer() throws {
        while !wait(for: wasAbandoned ? nil : abandon, milliseconds: silenceMilliseconds ?? -1) {
            guard abandon.isAwake, !wasAbandoned else {
                throw PostgresError(message: "the server did not answer in time", isLost: true)
            }
            wasAbandoned = true
            requestCancellation()
        }
    }

    /// Waits until the server says something; false if the waker woke up or the time is over.
    private func wait(for waker: Waker?, milliseconds: Int) -> Bool {
        var polled = [pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)]
        if let waker { polled.append(pollfd(fd: waker.descriptor, events: Int16(POLLIN), revents: 0)) }
        var ready: Int32
        repeat {
            ready = poll(&polled, UInt(polled.count), Int32(clamping: milliseconds))
        } while ready < 0 && errno == EINTR
        return polled[0].revents != 0
    }

    /// Asks the server to stop the running statement, which then ends with an error unless it is faster.
    private func requestCancellation() {
        guard let cancellation = PQgetCancel(handle) else { return }
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(cancellation, &message, Int32(message.count))
        PQfreeCancel(cancellation)
    }

    private var ownMessage: String {
        PQerrorMessage(handle).map { String(cString: $0).inOneLine } ?? ""
    }

    private var lostError: PostgresError { PostgresError(message: ownMessage, isLost: true) }
}

/// Lends texts as a list that ends with a null pointer.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    // Safe: the list is never empty, so it has an address.
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
}

/// What the server answered to one statement: all its rows, or an error.
final class PostgresResult {
    private let handle: OpaquePointer

    /// Takes the result over.
    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int { Int(PQntuples(handle)) }
    var columnCount: Int { Int(PQnfields(handle)) }
    /// The types of a prepared statement's parameters.
    var parameterTypes: [Oid] { (0..<PQnparams(handle)).map { PQparamtype(handle, $0) } }

    /// What was done, such as `COMMIT` or `UPDATE 3`.
    var commandTag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// How many rows were inserted, updated or deleted.
    var changedRowCount: Int {
        let words = commandTag.split(separator: " ")
        guard let verb = words.first, ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(verb) else { return 0 }
        return words.last.flatMap { Int($0) } ?? 0
    }

    func type(ofColumn column: Int) -> Oid { PQftype(handle, Int32(column)) }

    /// The bytes of a cell, valid as long as the result; nil if it holds no value.
    func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(handle, Int32(row), Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), Int32(column)),
            count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    /// A cell of a result that came as text.
    func text(_ row: Int, _ column: Int) -> String? {
        cell(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A part of the error.
    func text(_ part: (OpaquePointer?) -> UnsafePointer<CChar>?) -> String? {
        part(handle).map { String(cString: $0) }
    }
}
