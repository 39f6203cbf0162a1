import { EspalierError } from "../../errors/index.ts";

/** Why a server cannot listen, as an error of the command line; any other error as it is. */
export function portProblem(error: unknown, port: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "ERR_SOCKET_BAD_PORT") return error;
  return new EspalierError({
    code: "usage-invalid",
    problem: code === "EADDRINUSE" ? "The port is already in use" : "Cannot bind to the port",
    got: `--port ${port}`,
    fix: "Choose another port, or 0 for a free one.",
    cause: error,
  });
}
