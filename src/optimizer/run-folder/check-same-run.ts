import { isObject } from "../../internal/index.ts";
import type { Json, JsonObject } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";

/** Throws when the run to resume differs from the journal's, and names the differences. */
export function checkSameRun(recorded: JsonObject, now: JsonObject, folder: string): void {
  const differing = differences(recorded, now, "");
  if (differing.length === 0) return;
  const [before, after] = [engineOf(recorded), engineOf(now)];
  if (before !== undefined && after !== undefined && before !== after) {
    throw new EspalierError({
      code: "journal-mismatch",
      problem: "The run was begun by another optimizer, or another version of it",
      where: folder,
      expected: before,
      got: after,
      fix: "Its results can be read as they are. To go on, use the espalier that began it, or start a new run.",
    });
  }
  throw new EspalierError({
    code: "journal-mismatch",
    problem: "The run differs from the one to resume",
    where: folder,
    expected: differing.map(({ path, before }) => `${path} ${shown(before)}`).join(", "),
    got: differing.map(({ path, after }) => `${path} ${shown(after)}`).join(", "),
    fix: "Resume it with its original program, data and options, or start a new run.",
  });
}

/** The optimizer's name and version: another version may decide otherwise from the same journal. */
function engineOf({ optimizer }: JsonObject): string | undefined {
  if (!isObject(optimizer)) return undefined;
  const { name, version } = optimizer;
  return typeof name === "string" && typeof version === "string" ? `${name} ${version}` : undefined;
}

interface Difference {
  readonly path: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

function differences(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      differences(before[key], after[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function shown(value: Json | undefined): string {
  return value === undefined ? "absent" : JSON.stringify(value);
}
