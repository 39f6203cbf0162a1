import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { pythonPackage } from "../../support/python-package.ts";
import type { Environment, Texts } from "../environments/environment.ts";
import { trueMean } from "../environments/environment.ts";
import type { EngineTime, RunFigures, SearchLimits } from "./run-figures.ts";

/** Options of `gepa.optimize`, by the name of the configuration. */
export const gepaConfigurations: Readonly<Record<string, object>> = {
  default: {},
  "current best": { candidate_selection_strategy: "current_best" },
  "all components": { module_selector: "all" },
  merge: { use_merge: true },
};

/** gepa 0.1.4 in a process of its own, one search at a time. */
export interface GepaProcess {
  /**
   * It may exceed its cap by one evaluation on val; the figures are those of its best candidate at
   * the moment the cap was reached.
   */
  search(environment: Environment, limits: SearchLimits, options: object): Promise<RunFigures>;
  end(): void;
}

type Question =
  | { readonly ask: "scores"; readonly exampleIds: readonly string[]; readonly texts: Texts }
  | {
      readonly ask: "text";
      readonly component: string;
      readonly text: string;
      readonly feedback: readonly string[];
    }
  | { readonly ask: "nothing"; readonly result: Result };

interface Result {
  readonly texts: Texts;
  readonly metricCalls: number;
  readonly written: number;
  readonly engine: EngineTime;
}

/** Returns the reason in a sentence if gepa is unavailable. */
export async function gepaProcess(): Promise<GepaProcess | string> {
  const gepa = await pythonPackage("gepa", "0.1.4");
  if (typeof gepa === "string") return gepa;
  const driver = fileURLToPath(new URL("gepa-pipe.py", import.meta.url));
  const child = spawn(gepa.python, [driver], {
    // Seeds Python's hashes, so that sets iterate in the same order in every run.
    env: { ...process.env, PYTHONHASHSEED: "0" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (answer: object): boolean => child.stdin.write(`${JSON.stringify(answer)}\n`);
  return {
    end: () => child.stdin.end(),
    search: async (environment, { metricCalls, run }, options) => {
      const { texts, train, val } = environment;
      const noise = environment.pythonNoise?.(run);
      let [rollouts, calls] = [0, 0];
      const startedAt = performance.now();
      say({ metricCalls, run, texts, train, val, options, noise });
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error("gepa's process has ended.");
        const question = JSON.parse(value) as Question;
        if (question.ask === "scores") {
          const { exampleIds: ids, texts: candidate } = question;
          const scores = ids.map((id) =>
            noise === undefined
              ? environment.rolloutScore(candidate, id, run, rollouts++)
              : environment.trueScore(candidate, id),
          );
          const feedback = ids.map((id, index) =>
            environment.feedback(candidate, id, scores[index] ?? NaN),
          );
          say({ scores, feedback });
        } else if (question.ask === "text") {
          say({ text: environment.rewrite({ ...question, run, call: calls++ }) });
        } else {
          say({});
          const { texts: found, written, ...counts } = question.result;
          return {
            task: environment.task,
            run,
            val: trueMean(environment, "val", found),
            test: trueMean(environment, "test", found),
            ...counts,
            texts: written,
            wallMs: performance.now() - startedAt,
          };
        }
      }
    },
  };
}
