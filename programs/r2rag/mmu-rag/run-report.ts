/** One event of `POST /run`. Both texts are cumulative. */
export interface RunEvent {
  readonly intermediate_steps: string | null;
  readonly final_report: string | null;
  /** Absent if the run failed. */
  readonly is_intermediate?: boolean;
  /** No event follows a complete one. */
  readonly complete: boolean;
  /** Addresses; the latest list applies to all later events. */
  readonly citations?: readonly string[];
  readonly error?: string;
}

/** The output of one run so far, as MMU-RAG events. */
export interface RunReport {
  step(text: string): RunEvent;
  delta(text: string): RunEvent;
  /** Discards the report so far: cumulative events can take text back. */
  restart(): RunEvent;
  complete(ended: { readonly answer: string; readonly citations: readonly string[] }): RunEvent;
  fail(message: string): RunEvent;
}

/**
 * Collects steps and answer into cumulative events of the MMU-RAG protocol, as the server of R2RAG
 * (RMIT-ADM+S) sends them: a separator precedes a step if the steps before it end with a newline. A
 * step of a program is complete, so it always ends with a newline.
 */
export function runReport(): RunReport {
  let steps = "";
  let report = "";
  let citations: readonly string[] = [];

  const said = () => ({
    intermediate_steps: steps === "" ? null : steps,
    final_report: report === "" ? null : report,
    ...(citations.length > 0 && { citations }),
  });
  const reported = (complete: boolean): RunEvent => ({
    ...said(),
    is_intermediate: false,
    complete,
  });
  return {
    step: (text) => {
      if (steps.endsWith("\n")) steps += separator;
      steps += text.endsWith("\n") ? text : `${text}\n`;
      return { ...said(), final_report: null, is_intermediate: true, complete: false };
    },
    delta: (text) => {
      report += text;
      return reported(false);
    },
    restart: () => {
      report = "";
      return reported(false);
    },
    complete: (ended) => {
      report = ended.answer;
      ({ citations } = ended);
      return reported(true);
    },
    fail: (message) => ({
      ...said(),
      error: `Error processing request: ${message}`,
      complete: true,
    }),
  };
}

const separator = "|||---|||";
