import type { OptimizerEvent } from "../contract/optimizer-event.ts";
import { checkLine, malformedLine } from "./line/check-line.ts";
import { eventShape } from "./line/event-shapes.ts";

/**
 * Checks that the lines of a journal are a complete sequence of events, in order, and that the
 * candidates they name were accepted before.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkEvents(
  path: string,
  lines: readonly unknown[],
): asserts lines is readonly OptimizerEvent[] {
  const checked = eventChecker(path);
  for (const line of lines) checked(line);
}

/** The same for one line after the other. */
export function eventChecker(path: string): (line: unknown) => OptimizerEvent {
  let [place, candidates] = [0, 0];
  return (line) => {
    checkLine(line, { shape: eventShape, path, place });
    const event = line as OptimizerEvent & { readonly sequence?: unknown };
    const problem = orderProblem(event, { place, candidates });
    if (problem !== null) throw malformedLine(`${path}:${place + 1}`, problem);
    if (event.kind === "candidate-accepted") candidates++;
    place++;
    return event;
  };
}

function orderProblem(
  event: OptimizerEvent & { readonly sequence?: unknown },
  { place, candidates }: { readonly place: number; readonly candidates: number },
): string | null {
  if (event.sequence !== place) {
    return `sequence: expected ${place}, because lines are numbered without gaps`;
  }
  if ((event.kind === "run-start") !== (place === 0))
    return "kind: expected run-start in the first line and nowhere else";
  if (event.kind === "candidate-accepted") {
    const { id, parents } = event.record;
    if (id !== candidates)
      return `record.id: expected ${candidates}, the number of candidates before it`;
    if (parents.some((parent) => parent >= candidates)) {
      return `record.parents: expected candidates below ${candidates}`;
    }
  }
  if (event.kind === "candidate-confirmed" && event.candidate >= candidates) {
    return `candidate: expected a number below ${candidates}`;
  }
  if (event.kind === "run-end" && event.best >= candidates) {
    return `best: expected a number below ${candidates}`;
  }
  return null;
}
