import { checkedIn, ownLabels } from "../../proposal/check/proposal-check.ts";
import { componentId } from "../../../internal/index.ts";
import type { Rejection } from "../../candidate/candidate-record.ts";
import { predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { reflectiveCases, teaches } from "../../proposal/case/reflective-cases.ts";
import { roomForLessons, rolloutsThatFit } from "../../proposal/case/render-cases.ts";
import { extractText } from "../../proposal/check/extract-text.ts";
import { objection } from "../../proposal/check/proposal-checks.ts";
import type { ProposalRequest } from "../../proposal/proposer.ts";
import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { SearchSpace } from "../../task/search-space.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { JointSearchSettings } from "../settings/settings.ts";
import type { Configuration } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";
import type { TextLever, TextSetting } from "../lever/text-lever.ts";

/** Writes new texts from failing runs of present ones. */
export interface Reflection {
  /** Texts requested so far. */
  readonly requested: number;
  /** One text for each lever that failing runs teach something about. */
  onEach(configuration: Configuration): Promise<readonly Rejection[]>;
  /** One text, for the next lever in turn that failing runs teach something about. */
  onNext(configuration: Configuration): Promise<readonly Rejection[]>;
}

interface Draft {
  readonly lever: TextLever;
  readonly parent: TextSetting;
  readonly rollouts: readonly Rollout[];
}

export function reflection(
  space: SearchSpace,
  run: OptimizerRun,
  {
    levers,
    evidence,
    settings: { proposer, checks },
    iteration,
  }: {
    readonly levers: Levers;
    readonly evidence: Evidence;
    readonly settings: JointSearchSettings;
    readonly iteration: () => number;
  },
): Reflection {
  const labels = ownLabels(space);
  const shown = new Map<TextSetting, Set<Rollout>>();
  let [requested, turn] = [0, 0];

  /**
   * Failing runs that were not shown yet, the latest first; then others, in random order. At least
   * three, and more only while they fit uncut: a long case that is cut loses what shows why it fell
   * short.
   */
  const draftFor = (lever: TextLever, configuration: Configuration): Draft | null => {
    const parent = configuration[levers.all.indexOf(lever)] as TextSetting;
    const predictor = predictorOf(parent.component);
    const before = shown.get(parent) ?? new Set();
    const failing = evidence.failuresWith(parent).filter((one) => teaches(one, predictor));
    const fresh = failing.filter((one) => !before.has(one)).toReversed();
    const others = failing.filter((one) => before.has(one));
    const random = run.random("joint-search/cases", requested);
    const inOrder = [...fresh, ...random.shuffle(others)];
    const rollouts = rolloutsThatFit(inOrder, [parent.component], roomForLessons);
    return rollouts.length === 0 ? null : { lever, parent, rollouts };
  };

  const write = async (
    drafts: readonly Draft[],
    configuration: Configuration,
  ): Promise<readonly Rejection[]> => {
    if (drafts.length === 0) return [];
    if (!run.fits({ rollouts: 0, reflectionCalls: drafts.length })) return [];
    const candidate = levers.candidateOf(configuration);
    const requests = drafts.map(({ parent: { component }, rollouts }): ProposalRequest => ({
      id: `joint-search-${++requested}`,
      component,
      place: space.describe(component),
      candidate,
      cases: reflectiveCases(rollouts, predictorOf(component)),
    }));
    for (const { parent, rollouts } of drafts) {
      shown.set(parent, new Set([...(shown.get(parent) ?? []), ...rollouts]));
    }
    const proposed = await proposer.propose(requests, run);
    return drafts.flatMap(({ lever, parent }, at): readonly Rejection[] => {
      const [request, answer] = [requests[at], proposed[at]];
      if (request === undefined || answer === undefined) return [];
      const id = componentId(parent.component);
      const refused = { iteration: iteration(), parents: [0], components: [id] };
      if (!answer.ok) return [{ ...refused, reason: answer.reason, detail: answer.detail }];
      const text = extractText(answer.text);
      const isTried = lever.texts.some(({ component }) => component.value === text);
      const found = objection(checks, text, checkedIn(request, { isTried, labels }));
      if (found !== null) return [{ ...refused, ...found, texts: { [id]: text } }];
      lever.write(parent, text);
      return [];
    });
  };

  return {
    get requested() {
      return requested;
    },
    onEach: async (configuration) =>
      write(
        levers.texts.flatMap((lever) => draftFor(lever, configuration) ?? []),
        configuration,
      ),
    onNext: async (configuration) => {
      for (let step = 0; step < levers.texts.length; step++) {
        const lever = levers.texts[turn++ % levers.texts.length];
        const draft = lever === undefined ? null : draftFor(lever, configuration);
        if (draft !== null) return write([draft], configuration);
      }
      return [];
    },
  };
}
