import socket


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there, for web processes to inherit.

    The launcher holds it, so visitors who come while the web server restarts wait in its
    queue instead of being refused. Raises OSError (the port is taken, the host is not ours)
    and ValueError (no such port).
    """
    if not 0 < port < 2**16:  # getaddrinfo would take it modulo that
        raise ValueError("there is no such port")
    family, kind, _protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind)
    try:
        # A port whose last connections linger after a restart is free all the same.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(256)
    except OSError:
        listening.close()
        raise
    return listening
