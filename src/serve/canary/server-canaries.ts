import type { Registry } from "../../artifact/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { Clock, Labels } from "../../internal/index.ts";
import { counter, gaugeBy } from "../../internal/index.ts";
import type { AnswerQuestion } from "../answer/answer-question.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ServeState } from "../state/open-serve-state.ts";
import { canaryAnswerer } from "./canary-answerer.ts";
import type { ShadowTraffic } from "./shadow-traffic.ts";
import { shadowTraffic } from "./shadow-traffic.ts";
import type { CanaryReport } from "./canary-report.ts";
import { canaryReports } from "./canary-report.ts";
import type { CanarySettings } from "./canary-settings.ts";
import { canarySettings, settingInvalid } from "./canary-settings.ts";
import type { Canaries } from "./canaries.ts";
import { canaries } from "./canaries.ts";

/** Candidate trials of a server; disposing of it aborts shadow runs. */
export interface ServerCanaries extends Disposable {
  readonly canaries: Canaries;
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

/** State of the running rollouts, and the number of rollbacks, in Prometheus' text format. */
function canaryLines(
  reports: readonly CanaryReport[],
  shadows: ShadowTraffic["counts"],
): readonly string[] {
  const running = reports.filter(({ status }) => status === "running");
  const gauge = (
    name: string,
    help: string,
    values: (report: CanaryReport) => readonly (readonly [Labels, number | null])[],
  ): readonly string[] =>
    gaugeBy(
      { name, help },
      running.flatMap((report) =>
        values(report).flatMap(([labels, value]) => {
          const { model, candidate } = report;
          return value === null ? [] : [{ labels: { model, candidate, ...labels }, value }];
        }),
      ),
    );
  const rolledBack = counter({
    name: "espalier_rollbacks_total",
    help: "Rolled-back candidates, by model.",
  });
  for (const { model, status } of reports) if (status === "rolled-back") rolledBack.add({ model });
  const shadowed = counter({
    name: "espalier_shadows_total",
    help: "Shadow requests to the candidate, by outcome; `dropped` means that the server was busy.",
  });
  shadowed.add({ outcome: "run" }, shadows.run);
  shadowed.add({ outcome: "dropped" }, shadows.dropped);
  return [
    ...gauge("espalier_rollout_keys", "Counted users and conversations.", ({ findings }) => [
      [{ arm: "baseline" }, findings.baseline.keys],
      [{ arm: "candidate" }, findings.candidate.keys],
    ]),
    ...gauge("espalier_rollout_api_keys", "Contributing API keys.", ({ findings }) => [
      [{}, findings.apiKeys],
    ]),
    ...gauge("espalier_rollout_mean_score", "Mean live score.", ({ findings }) => [
      [{ arm: "baseline" }, findings.baseline.meanScore],
      [{ arm: "candidate" }, findings.candidate.meanScore],
    ]),
    ...gauge(
      "espalier_rollout_evidence",
      "Evidence against and for the candidate, as betting wealth; the threshold is 1 / alpha.",
      ({ findings }) => [
        [{ test: "worse" }, findings.worse],
        [{ test: "better" }, findings.better],
      ],
    ),
    ...rolledBack.lines(),
    ...shadowed.lines(),
  ];
}
