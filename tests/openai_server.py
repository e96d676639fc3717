"""A local server that speaks the OpenAI protocol, for tests through the real client.

`with OpenAIServer() as server:` then point a client at `server.base_url`. Whatever `server.script` holds is
answered first, in order; then `server.answers[path]` makes the answer from the request's JSON.
"""

import base64
import json
import struct
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from memories.agent.scripted import Answer, Request, ScriptedServer

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

    @property
    def answer(self) -> Answer:
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()
        return Answer(body, self.status, self.headers, self.delay, self.truncated)


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


class OpenAIServer(ScriptedServer):
    """The product's scripted server, answering from `script` first and by path after that."""

    def __init__(self) -> None:
        self.script: deque[Reply] = deque()
        self.answers: dict[str, Callable[[Json], Reply]] = {"/v1/embeddings": embeddings}
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Answer:
        if self.script:
            return self.script.popleft().answer
        answer = self.answers.get(f"/v1{request.path}")
        return (answer(request.body) if answer else error(404, f"nothing at {request.path}")).answer


def _vector(text: str, width: int) -> list[float]:
    return [1 + zlib.crc32(f"{at} {text}".encode()) / 2**32 for at in range(width)]


def _encoded(vector: list[float], request: Json) -> list[float] | str:
    if request.get("encoding_format") != "base64":
        return vector
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
