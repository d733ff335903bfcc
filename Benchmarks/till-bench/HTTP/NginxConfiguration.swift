import Foundation

/// nginx as its manual sets it up for speed, with as many workers as ours has threads.
struct NginxConfiguration {
    /// What both sides answer, nginx with `return 200`.
    static let smallAnswer = #"{"status":"ok","value":42}"#

    let folder: URL
    let port: Int
    var identity: ServerIdentity?
    /// What it answers to `verifyReceipt`.
    var answer: String?
    /// The file with what it answers to whatever is posted to `/device/v1/products`.
    var products: String?

    /// A parameter of its configuration may have four kilobytes, so that the answer comes in pieces.
    private var verification: String {
        guard let answer else { return "" }
        let texts = stride(from: 0, to: answer.utf8.count, by: 2000).map { start in
            String(decoding: answer.utf8.dropFirst(start).prefix(2000), as: UTF8.self)
        }
        let pieces = texts.enumerated().map { "set $piece\($0) '\($1)';" }.joined(separator: " ")
        let names = texts.indices.map { "${piece\($0)}" }.joined()
        return """
            client_body_buffer_size 64k; \(pieces)
            location = /verifyReceipt { default_type application/json; return 200 "\(names)"; }
            """
    }

    /// Files are for `GET` alone, so that a `POST` is sent on to one.
    private var productAnswer: String {
        guard let products else { return "" }
        return """
            client_body_buffer_size 64k;
            location = /device/v1/products { error_page 405 =200 /products.json; return 405; }
            location = /products.json { internal; default_type application/json; alias \(products); }
            """
    }

    var text: String {
        let path = folder.path
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(path)/\($0);" }.joined(separator: " ")
        let encryption = identity.map {
            """
            ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);
            ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache off; ssl_session_tickets off;
            """
        }
        // Started by root, its workers could not read a folder that is root's alone.
        return """
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes \(BenchServer.threads); daemon off; pid \(path)/nginx.pid; error_log \(path)/error.log;
            events { worker_connections 4096; }
            http {
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; \(temporary)
                server {
                    listen 127.0.0.1:\(port)\(identity == nil ? "" : " ssl"); \(encryption ?? "")
                    location = /json { default_type application/json; return 200 '\(Self.smallAnswer)'; }
                    \(verification)
                    \(productAnswer)
                    location = /notifications { return 200; }
                    location = /file { alias \(path)/file.bin; }
                }
            }
            """
    }
}
