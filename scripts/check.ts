import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { scriptOptions } from "./support/script-options.ts";

/** Each step is an npm script. All of them run, so that one run shows every problem. */
const steps = [
  "types",
  "package",
  "lint",
  "layers",
  "knip",
  "format:check",
  "docs",
  "docs:api:check",
  "audit",
];

scriptOptions({
  command: "npm run check",
  about: `Runs every check and shows the failures: ${steps.join(", ")}.`,
});

interface Outcome {
  readonly step: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

const waiting = [...steps];
const outcomes: Outcome[] = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker));

const ordered = steps.flatMap((step) => outcomes.filter((outcome) => outcome.step === step));
const failed = ordered.filter((outcome) => !outcome.passed);
for (const { step, output } of failed) console.log(`--- npm run ${step}\n${output.trim()}\n`);
for (const { step, passed, seconds, output } of ordered) {
  const skipped = /^skipped: .*/m.exec(output)?.[0];
  console.log(
    `${passed ? "ok    " : "FAILED"} ${step.padEnd(14)} ${seconds.toFixed(1).padStart(5)} s${skipped === undefined ? "" : `  ${skipped}`}`,
  );
}
console.log(
  failed.length === 0
    ? `All ${steps.length} checks passed.`
    : `${failed.length} of ${steps.length} checks failed: ${failed.map(({ step }) => step).join(", ")}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

async function worker(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    outcomes.push(await run(step));
  }
}

async function run(step: string): Promise<Outcome> {
  const start = performance.now();
  const child = spawn("npm", ["run", "--silent", step], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const passed = await new Promise<boolean>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0));
  });
  return { step, passed, seconds: (performance.now() - start) / 1000, output };
}
