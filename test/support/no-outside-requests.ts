import { Socket } from "node:net";

/**
 * Registered as a set-up file: a connection to anything but this machine throws, so that the tests
 * can neither spend money nor depend on the network. Everything, `fetch` included, connects here.
 */
const loopback = new Set(["127.0.0.1", "127.0.0.2", "::1", "localhost"]);
const connect = Socket.prototype.connect;

Socket.prototype.connect = function guarded(this: Socket, ...given: unknown[]): Socket {
  const host = hostOf(given);
  // A name under `.invalid` can never be resolved (RFC 2606): tests use it for unknown hosts.
  if (host !== undefined && !loopback.has(host) && !host.endsWith(".invalid")) {
    throw new Error(`A test tried to connect to ${host}; tests may reach this machine only.`);
  }
  return Reflect.apply(connect, this, given) as Socket;
};

/** `undefined` for a Unix socket, and for a port without a host, which means this machine. */
function hostOf(given: readonly unknown[]): string | undefined {
  const first: unknown = Array.isArray(given[0]) ? (given[0] as unknown[])[0] : given[0];
  if (typeof first === "object" && first !== null) {
    return "host" in first && typeof first.host === "string" ? first.host : undefined;
  }
  return typeof given[1] === "string" ? given[1] : undefined;
}
