import type { ChatServer, Serving } from "../../serve/index.ts";
import type { AnsweringLm } from "../lm/open-lm.ts";
import { rolloutTitle } from "../rollout/rollout-text.ts";

/** The start-up message of a server. */
export function serveText({
  serving,
  server,
  models,
  rollouts,
  isTrying,
  lm,
  keyNames,
  hasPage,
}: {
  readonly serving: Serving;
  readonly server: Pick<ChatServer, "url" | "routes">;
  readonly models: Awaited<ReturnType<ChatServer["models"]>>;
  readonly rollouts: Awaited<ReturnType<ChatServer["rollouts"]>>;
  /** Whether the server continues open rollouts. */
  readonly isTrying: boolean;
  readonly lm: AnsweringLm;
  /** `null` if anyone may ask. */
  readonly keyNames: readonly string[] | null;
  readonly hasPage: boolean;
}): string {
  const width = Math.max(...models.map(({ name }) => name.length));
  const rows = models.map(({ name, version }) => `${name.padEnd(width)}  ${version}`);
  const open = rollouts.filter(
    ({ status, model }) => status === "running" && models.some(({ name }) => name === model),
  );
  const fields = serving.models.map(({ id, program }) => {
    const [taken, given] = [program.input, program.output].map((of) => Object.keys(of).join(", "));
    return `${id}: ${taken} -> ${given}`;
  });
  const hasMore = serving.models.some(({ program }) => Object.keys(program.output).length > 1);
  const trials = open.map((rollout) =>
    isTrying
      ? rolloutTitle(rollout)
      : `none: ${rollout.model}@${rollout.candidate} is open, but needs --canary or --shadow to continue`,
  );
  const at = lm.url === undefined ? "" : ` at ${lm.url.replaceAll(",", ", ")}`;
  return [
    `Serving ${serving.name} on ${server.url}`,
    `  LM      ${lm.model}${at}`,
    `  keys    ${keyNames === null ? "none: anyone who can reach this address may send requests" : keyNames.join(", ")}`,
    ...rows.map((row, index) => `  ${index === 0 ? "models" : "      "}  ${row}`),
    ...fields.map((row, index) => `  ${index === 0 ? "fields" : "      "}  ${row}`),
    ...(hasMore
      ? [`          all of an output with "response_format": {"type": "json_object"}`]
      : []),
    ...trials.map((trial, index) => `  ${index === 0 ? "trials" : "      "}  ${trial}`),
    ...(hasPage ? [`  page    ${server.url}/`] : []),
    `  routes  ${routesText(server.routes)}`,
  ].join("\n");
}

/** `POST /run, /evaluate; GET /health`: each method once. */
function routesText(routes: readonly string[]): string {
  const byMethod = Map.groupBy(routes, (route) => route.slice(0, route.indexOf(" ")));
  const texts = [...byMethod].map(([method, of]) => {
    const paths = of.map((route) => route.slice(method.length + 1));
    return `${method} ${paths.join(", ")}`;
  });
  return texts.join("; ");
}
