import { EspalierError } from "../../errors/index.ts";

export type CallKey = string | number;

/**
 * `name` or `name[key]` under a scope's path; the root's path is empty.
 *
 * @throws EspalierError `option-invalid`
 */
export function callPath(scope: string, name: string, key?: CallKey): string {
  checkName(name);
  const step = key === undefined ? name : `${name}[${checkedKey(name, key)}]`;
  return scope === "" ? step : `${scope}/${step}`;
}

/**
 * Claims each path once per run. Counting repeated calls instead would make paths depend on timing
 * as soon as two calls run concurrently.
 */
export function pathClaims(): (path: string) => void {
  const claimed = new Set<string>();
  return (path) => {
    if (claimed.has(path)) {
      throw new EspalierError({
        code: "call-path-repeated",
        problem: `Two calls claim the path "${path}"`,
        expected: "one call for each path in one run",
        fix: 'Give the second call a key, `predictor(inputs, { key: 2 })`, or make it in a scope, `call.at("hop", 2)`',
      });
    }
    claimed.add(path);
  };
}

function checkName(name: string): void {
  if (/^[A-Za-z][\w.-]{0,63}$/.test(name)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "A name cannot be used in a call path",
    expected: "a letter, then up to 63 letters, digits, `_`, `.` or `-`",
    got: `"${name}"`,
  });
}

function checkedKey(name: string, key: CallKey): string {
  const text = String(key);
  if (/^[\w.:-]{1,64}$/.test(text)) return text;
  throw new EspalierError({
    code: "option-invalid",
    problem: `The key of "${name}" cannot be used in a call path`,
    expected: "up to 64 letters, digits, `_`, `.`, `:` or `-`",
    got: `"${text}"`,
  });
}
