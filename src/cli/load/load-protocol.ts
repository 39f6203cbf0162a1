import type { ProtocolAdapter } from "../../serve/index.ts";
import { loadDefault } from "./load-default.ts";

/** Argument of the commands that take a protocol. */
export const protocolArgument = {
  type: "string",
  description: "File that default-exports a protocol",
  valueHint: "FILE",
} as const;

/** Imports a file that default-exports a protocol: routes for `serve`, rows for `batch`. */
export async function loadProtocol(path: string): Promise<ProtocolAdapter> {
  return loadDefault(path, "protocol", { guard: isProtocol });
}

function isProtocol(value: unknown): value is ProtocolAdapter {
  return (
    typeof value === "object" &&
    value !== null &&
    "mount" in value &&
    typeof value.mount === "function"
  );
}
