import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../../support/measure.ts";
import { pythonPackage } from "../../support/python-package.ts";
import { overheadSizes } from "./engine-overhead.ts";

/** CPU of whole processes that make one search, both sides measured in alternation. */
export interface ProcessCost {
  readonly metricCalls: number;
  /** Medians of user and system time from start to exit, imports included, in ms. */
  readonly oursMs: number;
  readonly gepaMs: number;
  /** Median over the rounds of ours divided by gepa's of the same round. */
  readonly ratio: number;
}

const place = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/**
 * `rounds` times, and once before that counts for nothing, since it fills the caches of files and
 * Python's own of compiled modules. Returns the reason in a sentence if it cannot be measured.
 */
export async function processCosts(rounds: number): Promise<readonly ProcessCost[] | string> {
  if (!existsSync(place("../../../../dist/src/optimizer/index.js"))) {
    return "the built package is missing: npm run build";
  }
  const gepa = await pythonPackage("gepa", "0.1.4");
  if (typeof gepa === "string") return gepa;
  const { python } = gepa;
  const ours = [process.execPath, place("whole-search.mjs")];
  const theirs = [python, place("whole-search.py")];
  const costs: ProcessCost[] = [];
  for (const metricCalls of overheadSizes) {
    const pairs: { readonly ours: number; readonly gepa: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      const pair = {
        ours: await cpuMs(python, [...ours, String(metricCalls)], metricCalls),
        gepa: await cpuMs(python, [...theirs, String(metricCalls)], metricCalls),
      };
      if (round > 0) pairs.push(pair);
    }
    costs.push({
      metricCalls,
      oursMs: median(pairs.map((pair) => pair.ours)),
      gepaMs: median(pairs.map((pair) => pair.gepa)),
      ratio: median(pairs.map((pair) => pair.ours / pair.gepa)),
    });
  }
  return costs;
}

async function cpuMs(
  python: string,
  command: readonly string[],
  metricCalls: number,
): Promise<number> {
  // The bench's own conditions would make the process import the sources.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(python, [place("process-cpu.py"), ...command], {
    env: { ...env, PYTHONHASHSEED: "0" },
  });
  const { code, cpuMs, output } = JSON.parse(stdout) as {
    readonly code: number;
    readonly cpuMs: number;
    readonly output: string;
  };
  const made = code === 0 ? (JSON.parse(output) as { readonly metricCalls: number }) : null;
  if (made === null || made.metricCalls < 0.9 * metricCalls) {
    throw new Error(`${command.join(" ")} made too few calls or failed (${code}): ${output}`);
  }
  return cpuMs;
}

/** A table in Markdown. */
export function processTable(costs: readonly ProcessCost[]): readonly string[] {
  const perCall = (ms: number, calls: number): string => ((ms * 1000) / calls).toFixed(0);
  return [
    "| metric calls | espalier, whole process | gepa 0.1.4, whole process | espalier / gepa | per call, us: espalier, gepa |",
    "| --- | --- | --- | --- | --- |",
    ...costs.map(({ metricCalls: calls, oursMs, gepaMs, ratio }) =>
      [
        "",
        calls.toLocaleString("en"),
        `${oursMs.toFixed(0)} ms`,
        `${gepaMs.toFixed(0)} ms`,
        ratio.toFixed(2),
        `${perCall(oursMs, calls)}, ${perCall(gepaMs, calls)}`,
        "",
      ]
        .join(" | ")
        .trim(),
    ),
  ];
}
