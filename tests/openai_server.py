"""A local server that speaks the OpenAI protocol, for tests through the real client.

`with OpenAIServer() as server:` then point a client at `server.base_url`. Whatever `server.script` holds is
answered first, in order; then `server.answers[path]` makes the answer from the request's JSON.
"""

import base64
import json
import struct
import time
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]


@dataclass
class Reply:
    """One answer: `body` as JSON, or raw bytes; held back for `delay` seconds; cut off if `truncated`."""

    body: Json | bytes = field(default_factory=dict)
    status: int = 200
    # The official client waits for as long as it is told; tests have no time for its usual backoff.
    headers: dict[str, str] = field(default_factory=lambda: {"retry-after-ms": "1"})
    delay: float = 0.0
    truncated: bool = False


def error(status: int, message: str = "scripted") -> Reply:
    """An error in the shape the protocol gives it."""
    return Reply({"error": {"message": message, "type": "scripted", "code": None}}, status)


def embeddings(request: Json, width: int = 8) -> Reply:
    """Vectors that depend on the text alone, in base64 when the client asks for that."""
    texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
    width = request.get("dimensions") or width
    data = [
        {"object": "embedding", "index": at, "embedding": _encoded(_vector(text, width), request)}
        for at, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return Reply({"object": "list", "model": request["model"], "data": data, "usage": usage})


class OpenAIServer:
    """A server on a free port of 127.0.0.1; `requests` keeps (path, JSON) of all that was asked."""

    def __init__(self) -> None:
        self.script: deque[Reply] = deque()
        self.answers: dict[str, Callable[[Json], Reply]] = {"/v1/embeddings": embeddings}
        self.requests: list[tuple[str, Json]] = []
        self.keys: list[str | None] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply_to(self, path: str, request: Json, key: str | None) -> Reply:
        """The next scripted reply, or the one that `answers` makes."""
        self.requests.append((path, request))
        self.keys.append(key)
        if self.script:
            return self.script.popleft()
        answer = self.answers.get(path)
        return answer(request) if answer else error(404, f"nothing at {path}")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                _send(self, server.reply_to(self.path, request, self.headers["Authorization"]))

            def log_message(self, format: str, *arguments: object) -> None:
                """Tests print nothing."""

        return Handler


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    time.sleep(reply.delay)
    try:
        handler.send_response(reply.status)
        for name, value in ({"Content-Type": "application/json"} | reply.headers).items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2] if reply.truncated else body)
    except ConnectionError:
        pass  # The client gave up waiting, which is what the test is about.
    handler.close_connection = reply.truncated


def _vector(text: str, width: int) -> list[float]:
    return [1 + zlib.crc32(f"{at} {text}".encode()) / 2**32 for at in range(width)]


def _encoded(vector: list[float], request: Json) -> list[float] | str:
    if request.get("encoding_format") != "base64":
        return vector
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
