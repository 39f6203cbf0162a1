/** One event of `POST /run`. Both texts are cumulative. */
export interface RunEvent {
  readonly intermediate_steps: string | null;
  readonly final_report: string | null;
  /** Absent where the run failed. */
  readonly is_intermediate?: boolean;
  /** Nothing comes after it. */
  readonly complete: boolean;
  /** Addresses; the latest list holds for all later events. */
  readonly citations?: readonly string[];
  readonly error?: string;
}

/** What was said so far of one run, as the events of MMU-RAG have it. */
export interface RunReport {
  step(text: string): RunEvent;
  delta(text: string): RunEvent;
  /** The report before is void: what is cumulative can take text back. */
  restart(): RunEvent;
  complete(ended: { readonly answer: string; readonly citations: readonly string[] }): RunEvent;
  fail(message: string): RunEvent;
}

/**
 * Gathers steps and answer into cumulative events, by the protocol of the MMU-RAG competition as
 * the server of R2RAG (RMIT-ADM+S) speaks it: a separator goes before a step where the steps before
 * it end with a newline. A step of a program is whole, so it is ended with one.
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
