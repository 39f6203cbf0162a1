import type { JsonObject, LmIdentity } from "../../../../src/contract/index.ts";

/** All that must be the same where a run is decided and where its examples run. */
export interface Checkout {
  /** Of this package. */
  readonly version: string;
  readonly program: JsonObject;
  /** Hash of the prompts' parts. */
  readonly prompts: string;
  readonly metric: JsonObject;
  /** Hash of each of the project's modules, by its path from the study. */
  readonly modules: Readonly<Record<string, string>>;
  /** By the part that they play. */
  readonly lms: Readonly<Record<string, LmIdentity>>;
}

/** What differs, in a few words each; empty: nothing does. */
export function checkoutDifferences(run: Checkout, worker: Checkout): readonly string[] {
  const { version, program, prompts, metric } = run;
  const differences: string[] = [];
  const compare = (name: string, expected: unknown, got: unknown): void => {
    const [left, right] = [JSON.stringify(expected), JSON.stringify(got)];
    if (left !== right)
      differences.push(`${name} is ${right ?? "missing"}, not ${left ?? "absent"}`);
  };
  compare("espalier", version, worker.version);
  compare("the program", program, worker.program);
  compare("the metric", metric, worker.metric);
  if (prompts !== worker.prompts) differences.push("the prompts differ");
  for (const path of union(run.modules, worker.modules)) {
    const [expected, got] = [run.modules[path], worker.modules[path]];
    if (expected === got) continue;
    if (got === undefined) differences.push(`${path} is missing`);
    else
      differences.push(
        `${path} ${expected === undefined ? "is not part of the run's" : "differs"}`,
      );
  }
  for (const part of union(run.lms, worker.lms))
    compare(`LM "${part}"`, run.lms[part], worker.lms[part]);
  return differences;
}

function union(left: object, right: object): readonly string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
}
