import Foundation

/// The processor time that the calling thread has used.
///
/// Rows that compute on one thread are timed by it, on both sides: it does not run while another program has the
/// core, so that a build in the background does not look like slow cryptography.
enum ProcessorClock {
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
