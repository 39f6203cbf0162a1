import { EspalierError } from "../../errors/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { loadProgram } from "../load/load-program.ts";
import { openLm } from "../lm/open-lm.ts";
import { readInput } from "../arguments/read-input.ts";
import { rehearsalGate } from "../lm/rehearsal-gate.ts";
import { standInLabel } from "../../stand-in/index.ts";
import type { RunGiven } from "./run-arguments.ts";
import { print, printToStderr } from "../terminal/terminal.ts";

/** Runs the program on the input and prints its output. */
export async function runProgram(given: RunGiven): Promise<void> {
  const seed = wholeNumber("seed", given.seed, 0);
  const loaded = await loadProgram(given.subject, given);
  const program = await withCandidate(loaded.program, given.candidate);
  const input = await readInput(given.input);
  const problem = program.inputProblem(input);
  if (problem !== null) {
    throw new EspalierError({
      code: "input-invalid",
      problem: `The input does not match the program: ${problem}`,
      where: "--input",
      expected: `an object with ${Object.keys(program.input)
        .map((name) => `"${name}"`)
        .join(", ")}`,
    });
  }
  await using opened = await openLm(given);
  if (loaded.artifact !== undefined) rehearsalGate([opened.lm], given)?.(loaded.artifact);
  using interrupt = abortOnInterrupt();
  const attempt = await program.attempt(input, { lm: opened.lm, seed, signal: interrupt.signal });
  if (attempt.state === "failed") throw attempt.error;
  const { output, trace } = attempt;
  if (opened.standIns.length > 0) printToStderr(standInLabel(true).warning);
  if (given.json) {
    const { lm, isRehearsal: rehearsal, ledger } = opened.report();
    print(JSON.stringify({ output, ...(given.trace ? { trace } : {}), lm, rehearsal, ledger }));
    return;
  }
  print(JSON.stringify(output, null, 2));
  if (given.trace) print(JSON.stringify(trace, null, 2));
}
