import { sum } from "../../../statistics/index.ts";
import type { WorkAhead } from "../../contract/optimizer.ts";
import { aheadFrom } from "../settings/ahead-from.ts";
import type { GatedChild } from "../stage/gate.ts";
import type { Child } from "../stage/reflect.ts";
import { select } from "../stage/select.ts";
import { draftsFor } from "../stage/write-texts.ts";
import { advance } from "../state/advance.ts";
import { areTextsScarcer } from "../state/are-texts-scarcer.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import { keepingForBest } from "../state/kept-for-best.ts";
import type { Tools } from "../state/tools.ts";
import { chanceOfRefusals } from "../strategy/acceptance-chance.ts";
import type { AheadLimits } from "./expected-tools.ts";
import { expectedTools, NotAhead } from "./expected-tools.ts";
import { stateIfAccepted, stateIfRefused } from "./expected-state.ts";

/**
 * Works out what the next iteration will need if children are judged as expected, and has it made
 * beside their evaluations. The search takes it only where it comes to need the very same, so it
 * decides as it would without.
 */
export interface LookAhead {
  /** Children go to their minibatches, where all of them may be refused. */
  onMinibatch(children: readonly Child[], state: SearchState): void;
  /** The first of these children goes to val, where it may be accepted, or all be refused. */
  onVal(children: readonly GatedChild[], state: SearchState): Promise<void>;
  /** Ends this once the children are judged; what was made is held. */
  end(): Promise<readonly Decision[]>;
}

export function lookAhead(tools: Tools): LookAhead {
  const { run, settings, texts, rollouts } = tools;
  const looksAheadFrom = aheadFrom(settings);
  if (looksAheadFrom === undefined || run.beginAhead === undefined) {
    return { onMinibatch: () => {}, onVal: async () => {}, end: async () => [] };
  }
  let begun: WorkAhead[] = [];
  /** Of what is begun, what counts on the acceptance of the child that is on val. */
  let onAcceptance: WorkAhead | undefined;
  let expectsRefusals = false;
  let told = "";
  const begin = (
    limits: AheadLimits,
    state: SearchState,
    stateIf: (state: SearchState, expected: Tools) => SearchState,
  ): WorkAhead | undefined => {
    // As if every other text were lost.
    if (areTextsScarcer(state.panel.exampleIds.length, state, tools, 2)) return undefined;
    const work = run.beginAhead?.(async (ahead) => {
      const expected = expectedTools(keepingForBest(state, tools), ahead, limits);
      try {
        await makeForNext(stateIf(state, expected), expected);
      } catch (error) {
        if (!(error instanceof NotAhead)) throw error;
      }
    });
    if (work !== undefined) begun.push(work);
    return work;
  };
  const onRefusals = (children: readonly Child[], state: SearchState, reserved: number): void => {
    if (expectsRefusals) return;
    expectsRefusals = true;
    // Metric calls are scarce, and refusals are less sure than an acceptance after a minibatch.
    const limits = { reserved, makesRuns: false };
    begin(limits, state, (now, expected) => stateIfRefused(children, now, expected));
  };
  return {
    onMinibatch: (children, state) => {
      if (chanceOfRefusals(state.acceptance, children.length) < looksAheadFrom) return;
      const sizes = children.map(({ exampleIds }) => exampleIds.length);
      onRefusals(children, state, 2 * sum(sizes));
    },
    onVal: async (children, state) => {
      // The child before this one was refused.
      const before = onAcceptance;
      onAcceptance = undefined;
      begun = begun.filter((work) => work !== before);
      await before?.end();
      const [first] = children;
      if (first === undefined) return;
      const { exampleIds } = state.panel;
      const reserved = tools.evidence.missingOnVal(first.child.components, exampleIds);
      const { accepted, onVal: refused } = state.outcomes;
      const chance = { accepted, refused };
      if (1 - chanceOfRefusals(chance, 1) >= looksAheadFrom) {
        const limits = { reserved, makesRuns: true };
        onAcceptance = begin(limits, state, (now, expected) =>
          stateIfAccepted(first, now, expected),
        );
      } else if (chanceOfRefusals(chance, children.length) >= looksAheadFrom) {
        onRefusals(
          children.map(({ child }) => child),
          state,
          reserved,
        );
      }
    },
    end: async () => {
      const ended = begun;
      begun = [];
      onAcceptance = undefined;
      expectsRefusals = false;
      for (const work of ended) await work.end();
      const made = {
        texts: { made: texts.made, used: texts.used },
        rollouts: { made: rollouts.made, used: rollouts.used },
      };
      const before = told;
      told = JSON.stringify(made);
      return told === before || texts.made + rollouts.made === 0
        ? []
        : [{ kind: "made-ahead", ...made }];
    },
  };
}

/** Makes what an iteration begins with. */
async function makeForNext(begun: SearchState, expected: Tools): Promise<void> {
  let state = begun;
  const { proposals } = await select(state, expected, (decisions) => {
    state = advance(state, decisions, expected);
  });
  const drafts = draftsFor(proposals, state, expected);
  await expected.texts.ask(
    drafts.map(({ request }) => request),
    expected.run,
  );
}
