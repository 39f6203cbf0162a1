import type { Labels } from "../../internal/index.ts";
import { counter, gaugeBy } from "../../internal/index.ts";
import type { CanaryReport } from "./canary-report.ts";
import type { ShadowTraffic } from "./shadow-traffic.ts";

/** State of the running rollouts, and the number of rollbacks, in Prometheus' text format. */
export function canaryLines(
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
