import Foundation
import Testing

/// nginx, serving a folder over TCP, TLS and a socket of the file system.
// Safe: what can change is touched by one test, before and after its tasks.
final class NginxServer: @unchecked Sendable {
    private let process = Process()
    private let messages = Pipe()
    let folder: TemporaryFolder
    let certificates: Certificates
    let port: Int
    let securePort: Int
    let otherPort: Int
    let oldPort: Int

    var socketPath: String { folder.file("socket") }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
    func secureURL(_ path: String, host: String = "localhost") -> String { "https://\(host):\(securePort)\(path)" }

    struct NotStarted: Error {
        let messages: String
    }

    /// Starts it; on other ports, should somebody else have taken one in the meantime.
    static func start() throws -> NginxServer {
        let folder = try TemporaryFolder()
        let certificates = try Certificates()
        for _ in 0..<4 {
            if let server = try? NginxServer(folder, certificates) { return server }
        }
        return try NginxServer(folder, certificates)
    }

    private init(_ folder: TemporaryFolder, _ certificates: Certificates) throws {
        self.folder = folder
        self.certificates = certificates
        let ports = try FreePorts.some(4)
        (port, securePort, otherPort, oldPort) = (ports[0], ports[1], ports[2], ports[3])
        try FileManager.default.createDirectory(atPath: folder.file("www"), withIntermediateDirectories: true)
        try folder.write(Array(settings.utf8), to: "nginx.conf")
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", "stderr"]
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        var text = ""
        while !text.contains("start worker process ") {
            let data = messages.fileHandleForReading.availableData
            guard !data.isEmpty else { throw NotStarted(messages: text) }
            text += String(decoding: data, as: UTF8.self)
        }
        let reader = messages.fileHandleForReading
        Thread.detachNewThread { while !reader.availableData.isEmpty {} }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// Puts a file into the folder that is served.
    func publish(_ bytes: [UInt8], as name: String) throws { try folder.write(bytes, to: "www/" + name) }

    private var settings: String {
        """
        daemon off;
        \(getuid() == 0 ? "user root;" : "")
        worker_processes 1;
        pid nginx.pid;
        error_log stderr notice;
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            root www;
            keepalive_timeout 30;
            server {
                listen 127.0.0.1:\(port);
                listen unix:\(socketPath);
                listen 127.0.0.1:\(securePort) ssl;
                ssl_certificate \(certificates.certificate("localhost"));
                ssl_certificate_key \(certificates.key("localhost"));
                ssl_protocols TLSv1.2 TLSv1.3;
                location /zipped/ { gzip on; gzip_types *; alias www/; }
                location /moved { return 302 /file; }
                location /around { return 302 /around; }
                location /open { return 302 http://localhost:\(port)/file; }
                location /limited { limit_rate 100k; alias www/; }
            }
            server {
                listen 127.0.0.1:\(otherPort) ssl;
                ssl_certificate \(certificates.certificate("other"));
                ssl_certificate_key \(certificates.key("other"));
            }
            server {
                listen 127.0.0.1:\(oldPort) ssl;
                ssl_certificate \(certificates.certificate("localhost"));
                ssl_certificate_key \(certificates.key("localhost"));
                ssl_protocols TLSv1.1;
                ssl_ciphers ALL@SECLEVEL=0;
            }
        }
        """
    }
}
