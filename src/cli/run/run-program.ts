import { EspalierError } from "../../errors/index.ts";
import { withoutImages } from "../../internal/index.ts";
import { wholeNumber } from "../arguments/arguments.ts";
import { withCandidate } from "../load/candidate-file.ts";
import { abortOnInterrupt } from "../arguments/interrupt.ts";
import { loadProgram } from "../load/load-program.ts";
import { announceParts, openLms } from "../lm/open-lms.ts";
import { runServers } from "../lm/run-servers.ts";
import { readProgramInput } from "../arguments/read-input.ts";
import { rehearsalGate } from "../lm/rehearsal-gate.ts";
import { mockLabel } from "../../mock/index.ts";
import type { RunGiven } from "./run-arguments.ts";
import { print, printToStderr } from "../terminal/terminal.ts";

/** Runs the program on the input and prints its output. */
export async function runProgram(given: RunGiven): Promise<void> {
  const seed = wholeNumber("seed", given.seed, 0);
  const servers = await runServers(given);
  const loaded = await loadProgram(given.subject, { ...given, parts: servers.parts });
  const program = await withCandidate(loaded.program, given.candidate);
  const input = await readProgramInput(given.input, program.input);
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
  await using opened = await openLms(servers, given, { programs: [program] });
  announceParts(opened);
  if (loaded.artifact !== undefined)
    rehearsalGate([opened.lm, ...Object.values(opened.lms)], given)?.(loaded.artifact);
  using interrupt = abortOnInterrupt();
  const attempt = await program.attempt(input, {
    lm: opened.lm,
    lms: opened.lms,
    seed,
    signal: interrupt.signal,
  });
  if (attempt.state === "failed") throw attempt.error;
  const { output, trace } = attempt;
  if (given.json) {
    const { isRehearsal: rehearsal, ...report } = opened.report();
    const shown = given.trace ? { trace: withoutImages(trace) } : {};
    print(JSON.stringify({ output, ...shown, ...report, rehearsal }));
  } else {
    print(JSON.stringify(output, null, 2));
    if (given.trace) print(JSON.stringify(withoutImages(trace), null, 2));
  }
  const { warning } = mockLabel(opened.mocks);
  if (warning !== "") printToStderr(warning);
}
