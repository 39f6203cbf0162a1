import { epochMs } from "../../../../src/internal/index.ts";
import type { Evaluation, EvaluationRow } from "../../../../src/evaluate/index.ts";
import type { MlflowRun } from "../mlflow/mlflow-runs.ts";
import { endRun, logRun } from "../mlflow/mlflow-runs.ts";
import { closeCandidate, openCandidate } from "../mlflow/send-candidate.ts";
import type { OpenRun } from "../mlflow/send-run.ts";
import { openRun } from "../mlflow/send-run.ts";
import { sendTraces } from "../mlflow/send-traces.ts";
import type { TrackingServer } from "../server/tracking-server.ts";
import type { EvaluationAbout } from "../tracked/evaluation-run.ts";
import { evaluatedCandidate, evaluatedExample, evaluationHead } from "../tracked/evaluation-run.ts";
import { courier } from "./courier.ts";
import type { EvaluationListener } from "./listener.ts";

/**
 * Shows an evaluation in MLflow as it goes. The rows that wait are the evaluation's own, which
 * holds them to its end anyway.
 */
export function mlflowEvaluation(
  server: TrackingServer,
  { experiment, ...about }: EvaluationAbout & { readonly experiment: string },
): EvaluationListener {
  const startedAtMs = epochMs();
  const rows: EvaluationRow[] = [];
  let sentRows = 0;
  let open: (OpenRun & { readonly child: MlflowRun }) | undefined;
  /** `undefined` until the end. */
  let ended: Evaluation | null | undefined;
  let endedAtMs = startedAtMs;

  const sender = courier({
    next: async (signal) => {
      const asked: TrackingServer = {
        url: server.url,
        ask: (request) => server.ask({ ...request, signal }),
      };
      const head = evaluationHead(about, startedAtMs);
      const candidate = evaluatedCandidate(ended ?? null, about);
      if (open === undefined) {
        const opened = await openRun(asked, experiment, head);
        const child = await openCandidate(asked, { ...opened, name: head.name, candidate });
        open = { ...opened, child };
        await logRun(asked, child, { params: candidate.params, metrics: [], tags: {} });
      }
      const { run, child } = open;
      const part = rows.slice(sentRows, sentRows + rowsTogether);
      if (part.length > 0) {
        const sent = await sendTraces(asked, {
          experiment: open.experiment,
          run: child,
          name: head.name,
          startedAtMs,
          examples: part.map((row) => evaluatedExample(row, about)),
        });
        endedAtMs = Math.max(endedAtMs, sent.endedAtMs);
        sentRows += part.length;
        return true;
      }
      if (ended === undefined) return false;
      const { metrics } = candidate;
      const status = ended === null ? "FAILED" : "FINISHED";
      for (const each of [child, run]) {
        await logRun(asked, each, { params: {}, metrics, tags: {} });
      }
      await closeCandidate(asked, child, { candidate, endedAtMs, status });
      await endRun(asked, run, endedAtMs, status);
      ended = undefined;
      return false;
    },
  });
  return {
    onEvent: (event) => {
      if (event.kind === "evaluation-start") sender.wake();
      if (event.kind !== "example-end") return;
      rows.push(event.row);
      sender.wake();
    },
    finish: (evaluation) => {
      ended = evaluation;
      sender.wake();
    },
    end: (patienceMs = 5_000) => sender.end(patienceMs),
  };
}

const rowsTogether = 50;
