import { EspalierError } from "../../errors/index.ts";
import type { ProtocolAdapter } from "../../serve/index.ts";
import { importModule } from "./import-module.ts";

/** Argument of the commands that take a protocol. */
export const protocolArgument = {
  type: "string",
  description: "File that default-exports a protocol",
  valueHint: "FILE",
} as const;

/**
 * Imports a file that default-exports a protocol: routes for `serve`, rows for `batch`.
 *
 * @throws EspalierError `file-missing`, or `serving-invalid` if it cannot be imported or exports
 *   something else; the framework's own errors from inside the file as they are
 */
export async function loadProtocol(path: string): Promise<ProtocolAdapter> {
  const { default: adapter, ...others } = await importModule(path, "protocol");
  if (isProtocol(adapter)) return adapter;
  const exported = [...(adapter === undefined ? [] : ["default"]), ...Object.keys(others)];
  throw new EspalierError({
    code: "serving-invalid",
    problem: `"${path}" does not default-export a protocol`,
    expected: "an object with `mount(app, context)` as its default export",
    got: exported.length === 0 ? "no exports" : `the exports ${exported.join(", ")}`,
  });
}

function isProtocol(value: unknown): value is ProtocolAdapter {
  return (
    typeof value === "object" &&
    value !== null &&
    "mount" in value &&
    typeof value.mount === "function"
  );
}
