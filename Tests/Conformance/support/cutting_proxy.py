"""Stands between a client and a server, and cuts their connections."""

import socket
import threading


class CuttingProxy:
    """Hands on what a client sends, up to a number of bytes for each connection in turn; what follows is cut off."""

    def __init__(self, port: int, cuts: list[int | None]):
        self.port_behind = port
        self.sent = 0
        self._cuts = list(cuts)
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        # A connection at its cut waits for this, so that a test can do something else first.
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.connections_cut = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                cut = self._cuts.pop(0) if self._cuts else None
            try:
                server = socket.create_connection(("127.0.0.1", self.port_behind))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self._forward, args=(client, server, cut), daemon=True).start()
            threading.Thread(target=self._return, args=(server, client), daemon=True).start()

    def _forward(self, client, server, cut):
        passed = 0
        try:
            while piece := client.recv(1 << 16):
                piece = piece if cut is None else piece[: cut - passed]
                server.sendall(piece)
                passed += len(piece)
                with self._lock:
                    self.sent += len(piece)
                if passed == cut:
                    with self._changed:
                        self.connections_cut += 1
                        self._changed.notify_all()
                    self.may_go_on.wait()
                    break
        except OSError:
            pass
        for end in (client, server):
            _close(end)

    def _return(self, server, client):
        try:
            while piece := server.recv(1 << 16):
                client.sendall(piece)
        except OSError:
            pass
        for end in (client, server):
            _close(end)

    def wait_for_cut(self, patience: float):
        with self._changed:
            assert self._changed.wait_for(lambda: self.connections_cut > 0, patience), "no connection was cut"

    def close(self):
        self.may_go_on.set()
        _close(self._listener)


def _close(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()
