"""Lets containers reach a port that listens on the loopback interface only."""

import socket
import socketserver
import threading

from stage.invocation.threaded_server import ThreadedServer


class Relay(ThreadedServer):
    """Passes connections to `address` on to a port of this machine, while the `with` block lasts.

    Listening on a Docker bridge's own address is as close to loopback as a container can reach: the network behind it
    is this machine's containers and nobody else. Raises OSError where that address is not this machine's.
    """

    def __init__(self, address: str, target_port: int) -> None:
        server = socketserver.ThreadingTCPServer((address, 0), _handler(target_port))
        server.daemon_threads = True
        super().__init__(server)


def _handler(target_port: int) -> type[socketserver.BaseRequestHandler]:
    class RelayHandler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(("127.0.0.1", target_port)) as target:
                back = threading.Thread(target=_copy, args=(target, self.request), daemon=True)
                back.start()
                _copy(self.request, target)
                back.join()

    return RelayHandler


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # Either side may hang up at any time; the other is then told by its own socket.
        source.close()
