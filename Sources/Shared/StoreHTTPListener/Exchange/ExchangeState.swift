import StoreHTTP

/// What is known of one request at a time.
struct ExchangeState {
    enum Stage {
        /// The fields have not been looked at.
        case head
        /// The body is collected; there may be none.
        case collecting
        /// The body goes to the handler as it arrives.
        case streaming
        /// The body is thrown away; the answer is there or being made.
        case discarding
        /// The request is complete, its handler is at work.
        case answering
        /// The response belongs to the library.
        case writing
    }

    var stage = Stage.head
    /// Whether the method is HEAD, whose response has no body.
    var isHead = false
    var accepted: AcceptedRequest?
    var body: [UInt8] = []
    var stream: BodyStream?
    /// How much of the body has arrived, and how much of it may.
    var received = 0
    var allowed = 0
    /// Whether the stream of the body takes more.
    var hasRoom = true
    var answer: HTTPResponse?
    var task: Task<Void, Never>?
    var feed: StreamFeed?
    /// Parts of the handler that can run.
    var jobs: [UnownedJob] = []
    /// Whether the thread of the connection is at it.
    var isAttended = false
    var isSuspended = false
    var isAborted = false
    /// Whether the connection ends behind the response.
    var closes = false
    /// How much of the response's body is to be sent, where it is known.
    var length: Int? = 0
    /// Who wants to hear how the response ended.
    var observers = ResponseObservers()
}
