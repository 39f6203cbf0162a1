import type { Registry } from "../../artifact/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import type { AnswerQuestion } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ServeState } from "../state/open-serve-state.ts";
import { canaryAnswerer } from "./canary-answerer.ts";
import { canaryLines } from "./canary-lines.ts";
import type { CanaryReport } from "./canary-report.ts";
import { canaryReports } from "./canary-report.ts";
import type { CanarySettings } from "./canary-settings.ts";
import { canarySettings, settingInvalid } from "./canary-settings.ts";
import type { Canaries } from "./canaries.ts";
import { canaries } from "./canaries.ts";
import { shadowTraffic } from "./shadow-traffic.ts";

/** Candidate trials of a server; disposing of it aborts shadow runs. */
export interface ServerCanaries extends Disposable {
  readonly canaries: Canaries;
  /** Wraps the trials around the answering of questions. */
  around(answer: AnswerQuestion): AnswerQuestion;
  reports(): readonly CanaryReport[];
  /** In Prometheus' text format; empty while the state cannot be read. */
  lines(): readonly string[];
}

/** @throws EspalierError `option-invalid` */
export function serverCanaries({
  settings: given,
  registry,
  state,
  hasSeveralKeys,
  log,
  secrets,
  ...limits
}: {
  readonly settings: CanarySettings;
  readonly registry: Registry | undefined;
  readonly state: ServeState | undefined;
  /** Whether more than one API key may ask now. */
  readonly hasSeveralKeys: () => boolean;
  readonly log: ServerLog;
  /** Texts to mask, the same as in a feedback file. */
  readonly secrets: readonly string[];
  readonly lm: LanguageModel;
  /** Maximum concurrent shadow runs. */
  readonly slots: number;
  readonly deadlineMs: number;
  readonly isBusy: () => boolean;
  readonly clock: Clock;
}): ServerCanaries {
  if (registry === undefined) throw settingInvalid("a registry", "none", "registry");
  if (state === undefined) throw settingInvalid("`openServeState(path)`", "none", "state");
  const settings = canarySettings(given);
  const unseen = shadowTraffic(limits);
  const reports = canaryReports(state);
  return {
    canaries: canaries({ state, registry, log, settings, hasSeveralKeys }),
    around: (answer) => canaryAnswerer(answer, { shadowTraffic: unseen, log, secrets }),
    reports,
    lines: () => {
      try {
        return canaryLines(reports(), unseen.counts);
      } catch (error) {
        // The other metrics matter most when something is wrong.
        log("rollout-unreadable", { problem: messageOf(error) });
        return [];
      }
    },
    [Symbol.dispose]: () => unseen[Symbol.dispose](),
  };
}
