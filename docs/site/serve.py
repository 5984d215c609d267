#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve.py FOLDER PORT: serves FOLDER to this machine alone until Ctrl-C, at PORT or, where that is taken, at another one."""
import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    texts = ("", ".cff", ".cpp", ".hpp", ".md", ".py", ".toml", ".ipynb")  # "": LICENSE
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | dict.fromkeys(texts, "text/plain; charset=utf-8")

    def log_message(self, *_):
        pass


def listen(folder, port):
    handler = functools.partial(Handler, directory=folder)
    for tried in (port, 0):
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", tried), handler)
        except OSError as error:
            if not tried:
                sys.exit(f"doc2s: no port of this machine can be listened at: {error.strerror}")


def main():
    server = listen(sys.argv[1], int(sys.argv[2]))
    print(f"doc2s: the docs are at http://127.0.0.1:{server.server_port}/ until Ctrl-C", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
