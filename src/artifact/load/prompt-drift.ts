import type { LmMessage } from "../../contract/index.ts";
import { filesIn, imagesIn, textOfContent } from "../../contract/index.ts";
import { imageStandIn } from "../../internal/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { Compiled } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed } from "./drift.ts";

/**
 * Recorded inputs that no longer render the recorded prompt: the first one of each predictor, with
 * the first line that differs. Catches changes that declarations do not show, in a driver, a
 * template or the rendering of a value.
 */
export function promptDrift(
  samples: Compiled["samples"],
  program: Pick<TunableProgram, "render">,
): readonly Drift[] {
  return Object.entries(samples).flatMap(([predictor, recorded]) => {
    for (const [index, { inputs, vector, messages }] of recorded.entries()) {
      const what = `prompt of predictor "${predictor}" for recorded input ${index + 1}`;
      const rendered = attempt(() => program.render(predictor, inputs, { vector }));
      if (typeof rendered === "string") return [{ what, was: "rendered", now: rendered }];
      const drift = firstDifference(what, messages, rendered);
      if (drift !== null) return [drift];
    }
    return [];
  });
}

function attempt<TMade>(make: () => TMade): TMade | string {
  try {
    return make();
  } catch (error) {
    if (EspalierError.isInstance(error)) return `refused: ${error.report.problem}`;
    throw error;
  }
}

function firstDifference(
  what: string,
  was: readonly LmMessage[],
  now: readonly LmMessage[],
): Drift | null {
  const [before, after] = [was.flatMap(linesOf), now.flatMap(linesOf)];
  const place = before.findIndex((line, index) => line.text !== after[index]?.text);
  const at = place >= 0 ? place : before.length;
  if (at === before.length && at === after.length) return null;
  const { where } = before[at] ?? after[at] ?? { where: "end" };
  const [old, held] = [before[at], after[at]].map((line) => line?.text.replace(/^\| /, ""));
  const [drift = null] = changed(`${where} of the ${what}`, old, held);
  return drift;
}

interface Line {
  readonly where: string;
  readonly text: string;
}

/** Each message as a line with its role, then its own lines. */
function linesOf({ role, content }: LmMessage, index: number): readonly Line[] {
  const message = `message ${index + 1} (${role})`;
  return [
    { where: message, text: `===== ${role}` },
    ...textOfContent(content)
      .split("\n")
      .map((text, line) => ({ where: `line ${line + 1} of ${message}`, text: `| ${text}` })),
    ...imagesIn([{ role, content }]).map(({ url }, place) => ({
      where: `image ${place + 1} of ${message}`,
      text: `| ${imageStandIn(url)}`,
    })),
    ...filesIn([{ role, content }]).map(({ url }, place) => ({
      where: `file ${place + 1} of ${message}`,
      text: `| ${imageStandIn(url)}`,
    })),
  ];
}
