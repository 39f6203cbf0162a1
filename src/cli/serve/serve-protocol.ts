import { EspalierError } from "../../errors/index.ts";
import type { ProtocolAdapter, Serving } from "../../serve/index.ts";
import { loadProtocol } from "../load/load-protocol.ts";

/**
 * The protocol that the command line names.
 *
 * @throws EspalierError `usage-invalid` if the serving lacks a model of the protocol, since each of
 *   its questions would fail
 */
export async function serveProtocol(
  { models }: Serving,
  path: string | undefined,
): Promise<readonly ProtocolAdapter[]> {
  if (path === undefined) return [];
  const adapter = await loadProtocol(path);
  const ids = models.map(({ id }) => id);
  const missing = adapter.models?.find((name) => !ids.includes(name.split("@")[0] ?? ""));
  if (missing === undefined) return [adapter];
  throw new EspalierError({
    code: "usage-invalid",
    problem: "The serving lacks a model that the protocol needs",
    expected: ids.join(", "),
    got: `"${missing}"`,
    where: path,
  });
}
