import LinuxSystem
import TestSupport

/// A web server of one test, good or hostile by path; python3's.
final class IconServer: Sendable {
  private let process: LineProcess
  let port: Int

  init(serving directory: FilePath) async throws {
    process = try LineProcess(
      FilePath("/usr/bin/python3"),
      ["-u", "-c", Self.script, directory.description],
      environment: ["PATH=/usr/bin:/bin"]
    )
    port = Int(try await process.expect("port ")) ?? 0
  }

  /// How often a path was asked for.
  func requests(_ path: String) -> Int { process.lines.count { $0 == "GET \(path)" } }

  private static let script = #"""
    import http.server, os, sys, threading
    class H(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *a): pass
        def do_GET(self):
            print("GET " + self.path, flush=True)
            try: self.serve()
            except OSError: pass
            self.close_connection = True
        def say(self, code, body=b"", **more):
            self.send_response(code)
            for k, v in more.items(): self.send_header(k.replace("_", "-"), v)
            self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
        def serve(self):
            p = self.path
            if p == "/loop": return self.say(302, Location="/loop")
            if p == "/once": return self.say(302, Location="/appInfo.json")
            if p == "/ftp": return self.say(302, Location="ftp://localhost/x")
            if p == "/file": return self.say(302, Location="file:///etc/passwd")
            if p == "/missing": return self.say(404, b"not here")
            if p == "/silent": threading.Event().wait(30); return
            if p == "/cut":
                self.send_response(200); self.send_header("Content-Length", "1000"); self.end_headers()
                self.wfile.write(b"{"); return
            if p in ("/huge", "/endless", "/slow"):
                self.send_response(200)
                if p == "/huge": self.send_header("Content-Length", str(1 << 33))
                self.end_headers()
                while True:
                    self.wfile.write(b" " * (1 if p == "/slow" else 65536)); self.wfile.flush()
                    if p == "/slow": threading.Event().wait(0.05)
            if p == "/html": return self.say(200, b"<html>welcome</html>", Content_Type="text/html")
            if p.startswith("/list/"):
                return self.say(200, ('{"icons":[{"width":29,"height":29,"src":"%s"}]}' % p[6:].replace("|", "/")).encode())
            f = os.path.join(sys.argv[1], os.path.basename(p))
            if os.path.exists(f): return self.say(200, open(f, "rb").read())
            self.say(404)
    s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H); s.daemon_threads = True
    print("port", s.server_port, flush=True)
    threading.Thread(target=s.serve_forever, daemon=True).start()
    sys.stdin.read()
    """#
}
