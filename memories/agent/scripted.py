"""A small real HTTP server that speaks the OpenAI protocol on this machine only, and answers from a script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple, Self

Body = dict[str, Any]


class Request(NamedTuple):
    """What the client sent: the path after the base URL, and the JSON body."""

    path: str
    body: Body


@dataclass(frozen=True)
class Answer:
    """What goes back after `delay` seconds; only half of it where it is `truncated`."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    truncated: bool = False


Script = Callable[[Request], Answer]
numbers = count(1)


def says(text: str, **response: Any) -> Answer:
    """The model writes `text`; further keys replace parts of the response object."""
    return responds([message({"type": "output_text", "text": text, "annotations": []})], **response)


def refuses(sentence: str) -> Answer:
    """The model declines, with a sentence of its own."""
    return responds([message({"type": "refusal", "refusal": sentence})])


def calls(*wanted: tuple[str, Body | str], **response: Any) -> Answer:
    """The model asks for tools: pairs of a name and its arguments (a string is sent as it is)."""
    return responds([function_call(name, arguments) for name, arguments in wanted], **response)


def fails(status: int, sentence: str = "scripted failure", retry_after_ms: int = 1) -> Answer:
    """The server answers with an error; the client is asked to wait `retry_after_ms` before it tries again."""
    body = {"error": {"message": sentence, "type": "scripted", "param": None, "code": None}}
    return Answer(encoded(body), status, {"retry-after-ms": str(retry_after_ms)})


def hangs(seconds: float) -> Answer:
    """The server keeps the client waiting."""
    return Answer(encoded({}), delay=seconds)


def responds(output: Sequence[Body], **response: Any) -> Answer:
    """A response object of the Responses API around `output`."""
    number = next(numbers)
    body: Body = {"id": f"resp_{number}", "object": "response", "created_at": 0, "status": "completed"}
    body |= {"model": "scripted", "output": list(output), "error": None, "incomplete_details": None}
    body |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "metadata": {}}
    return Answer(encoded(body | response))


def message(part: Body) -> Body:
    return {
        "id": f"msg_{next(numbers)}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def function_call(name: str, arguments: Body | str) -> Body:
    number = next(numbers)
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {
        "id": f"fc_{number}",
        "type": "function_call",
        "call_id": f"call_{number}",
        "name": name,
        "arguments": written,
        "status": "completed",
    }


def usage(input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> Body:
    """Usage as a response reports it."""
    return {
        "input_tokens": input_tokens,
        "input_tokens_details": {"cached_tokens": cached_tokens, "cache_write_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input_tokens + output_tokens,
    }


def encoded(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def in_turn(*answers: Answer) -> Script:
    """Give the answers one after another; a client that asks more often gets a 500."""
    left = iter(answers)
    return lambda request: next(left, fails(500, "the script is at its end"))


def with_counted_usage(answer: Answer, request: Request) -> Answer:
    """Report usage where the script did not: about four characters a token of what really went over the wire."""
    try:
        body = json.loads(answer.body)
    except ValueError:
        return answer
    if not isinstance(body, dict) or "output" not in body or body.get("usage"):
        return answer
    sent = len(json.dumps(request.body, ensure_ascii=False)) // 4
    written = len(json.dumps(body["output"], ensure_ascii=False)) // 4
    return replace(answer, body=encoded(body | {"usage": usage(sent, written)}))


class ScriptedServer:
    """Serves a script on a free port of 127.0.0.1 while its `with` block runs.

    `requests` and `keys` remember what it was asked, and with which Authorization header.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self.keys: list[str | None] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(script, self.requests, self.keys))
        self._http.daemon_threads = True
        self._http.block_on_close = False

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def handler_for(script: Script, requests: list[Request], keys: list[str | None]) -> type[BaseHTTPRequestHandler]:
    """A request handler that asks `script` for each answer."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            request = Request(self.path.removeprefix("/v1"), json.loads(self.rfile.read(length) or b"{}"))
            requests.append(request)
            keys.append(self.headers["Authorization"])
            self.send(with_counted_usage(script(request), request))

        def send(self, answer: Answer) -> None:
            time.sleep(answer.delay)
            # A client that ran out of patience has hung up.
            with suppress(ConnectionError):
                self.write(answer)

        def write(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[: len(answer.body) // 2] if answer.truncated else answer.body)
            self.close_connection = answer.truncated

        def log_message(self, format: str, *arguments: object) -> None:
            """Requests carry notes: nothing of them is logged."""

    return Handler
