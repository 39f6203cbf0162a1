import { componentId } from "../../../internal/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { FailureModeSettings } from "../failure-mode/failure-mode-settings.ts";
import { fewestFailures, leastPerFailure } from "../failure-mode/failure-mode-settings.ts";
import { sayingOf } from "../failure-mode/failure-modes.ts";
import type { Naming } from "../failure-mode/read-naming.ts";
import { readNaming } from "../failure-mode/read-naming.ts";
import { accountOfRest } from "../lesson/account-of-rest.ts";
import { exampleAsCase } from "../lesson/example-as-case.ts";
import { failingLessons } from "../lesson/failing-lessons.ts";
import type { ReflectiveCase } from "../lesson/reflective-cases.ts";
import { renderCases } from "../proposal/render-cases.ts";
import type { Act } from "../state/decision.ts";
import type { Tools } from "../state/tools.ts";

/** Tokens that a failure takes on average, at most. */
const mostPerFailure = 400;

/**
 * Has the judge LM name the modes in which a candidate fails, if there are enough failures and most
 * of them belong to none yet; returns whether it named any. After a reply that cannot be used, it
 * is asked once more; after another, the search goes on with what it knows.
 *
 * The idea is that of gepa's pull request 447 (2026), which reports up to 9.7 points on held-out
 * examples; there a judge reads each trajectory, here many failures at once.
 */
export async function nameModes(parent: CandidateRecord, tools: Tools, act: Act): Promise<boolean> {
  const { run, failureModes, settings } = tools;
  if (settings.failureModes === undefined) return false;
  const all = failuresOf(parent, tools);
  const failures = worthNaming(all, tools, settings.failureModes);
  if (failures.length === 0) return false;
  const { calls: most } = settings.failureModes;
  const first = failureModes.calls + 1;
  let [calls, naming]: [number, Naming | null] = [0, null];
  while (calls < 2 && first + calls <= most && naming?.ok !== true) {
    // A text must follow, or the modes are of no use.
    if (!run.fits({ rollouts: 0, reflectionCalls: 2 })) break;
    const refusal = naming === null ? "" : naming.reason;
    calls++;
    naming = await ask(failures, { number: first + calls - 1, refusal }, tools);
    act([{ kind: "texts-requested" }]);
  }
  if (naming === null) return false;
  act([
    {
      kind: "modes-named",
      candidate: parent.id,
      calls,
      modes: naming.ok ? naming.modes : [],
      failures: failures.map((rollout, place) => ({
        rollout,
        mode: naming.ok ? (naming.modeOf[place] ?? null) : null,
      })),
      ...(!naming.ok && { detail: naming.reason }),
    },
  ]);
  return naming.ok;
}

/** What a candidate falls short on, as far as some component can still learn from it. */
function failuresOf(
  parent: CandidateRecord,
  { evidence: { lessons }, settings: { perfectScore }, componentsOf }: Tools,
): readonly Rollout[] {
  const held = [...lessons.of(parent.id).values()];
  const failing = componentsOf(parent).map(
    (component) =>
      new Set(failingLessons(held, component, { saidOf: lessons.saidOf, perfectScore })),
  );
  return held
    .filter((lesson) => failing.some((ofComponent) => ofComponent.has(lesson)))
    .map(({ rollout }) => rollout);
}

/**
 * The failures to show: those that the judge LM has not seen, with feedback of their own first;
 * empty if they are too few, or if most failures belong to a mode already.
 */
function worthNaming(
  failures: readonly Rollout[],
  { failureModes: { modeOf, wasShown } }: Tools,
  { tokens }: FailureModeSettings,
): readonly Rollout[] {
  const without = failures.filter((rollout) => modeOf(rollout) === null);
  const unseen = without.filter((rollout) => !wasShown(rollout));
  if (unseen.length < fewestFailures || 2 * without.length <= failures.length) return [];
  const firstOf = new Map(unseen.toReversed().map((rollout) => [sayingOf(rollout), rollout]));
  const isFirst = (rollout: Rollout): boolean => {
    const said = sayingOf(rollout);
    return said === "" || firstOf.get(said) === rollout;
  };
  return [...unseen.filter(isFirst), ...unseen.filter((one) => !isFirst(one))].slice(
    0,
    Math.floor(tokens / leastPerFailure),
  );
}

async function ask(
  failures: readonly Rollout[],
  { number, refusal }: { readonly number: number; readonly refusal: string },
  { run, space, settings, failureModes, changeable }: Tools,
): Promise<Naming> {
  const { failureModes: own } = settings;
  if (own === undefined) return { ok: false, reason: "Failure modes are not named." };
  const { modeNamer } = await import("../failure-mode/name-failure-modes.ts");
  const cases = failures.map((rollout) => caseOf(rollout, space));
  const [answer] = await run.ask(
    modeNamer(own),
    [
      {
        id: `failure-modes-${number}`,
        inputs: {
          program: space.components
            .filter((component) => changeable.includes(componentId(component)))
            .map((component) => space.describe(component))
            .join("\n\n"),
          failures: renderCases(cases, Math.min(own.tokens, cases.length * mostPerFailure), {
            leastPerCase: leastPerFailure,
          }),
          known: failureModes.modes
            .map(({ name, description }) => `- ${name}: ${description}`)
            .join("\n"),
          refusal,
        },
      },
    ],
    "judge",
  );
  if (answer?.ok !== true) {
    const why = answer?.failure.message ?? "no reply";
    return { ok: false, reason: `There was no usable reply: ${why}` };
  }
  const known = failureModes.modes;
  return readNaming(answer.outputs.modes, { count: failures.length, most: own.most, known });
}

/** A failure of the whole program: its input, what its steps wrote, and all feedback. */
function caseOf(rollout: Rollout, space: Tools["space"]): ReflectiveCase {
  const shown = exampleAsCase(space, rollout.exampleId, rollout);
  const { lesson } = rollout;
  const steps = lesson?.steps ?? [];
  if (steps.length > 1 && lesson !== undefined) {
    const account = accountOfRest(steps, lesson);
    if (account !== "") return { ...shown, outputs: { steps: account } };
  }
  const last = steps.at(-1);
  return lesson?.output === undefined && last !== undefined
    ? { ...shown, outputs: last.outputs, rawText: last.rawText }
    : shown;
}
