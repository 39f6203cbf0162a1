// @ts-check
import { answerText, citedIn } from "./answer-text.js";
import { citationList } from "./citation-list.js";
import { button, element } from "./element.js";
import { stepList } from "./step-list.js";

/**
 * The view of one answer, from the first step to the rating.
 *
 * @typedef {ReturnType<typeof answerView>} AnswerView
 * @param {{ model: string, prefix: string, now: () => number }} options the requested model id, the
 * prefix of the ids within, and the time in milliseconds
 */
export function answerView({ model, prefix, now }) {
  const version = element("span", { className: "aside" });
  const steps = stepList();
  const words = document.createTextNode("");
  const text = element("div", { className: "text" }, words);
  const waiting = element("p", { className: "waiting aside" }, "Working");
  const foot = element("p", { className: "aside foot" });
  const root = element(
    "article",
    { className: "answer", ariaLabel: `Answer from ${model}`, tabIndex: -1 },
    element("h3", {}, model, " ", version),
    steps.root,
    text,
    waiting,
  );
  root.ariaBusy = "true";
  /** @type {string[]} */
  let facts = [];
  const startMs = now();

  const settle = () => {
    root.ariaBusy = "false";
    waiting.remove();
    steps.settle();
    if (facts.length > 0) foot.textContent = facts.join(" · ");
    root.append(foot);
  };
  /**
   * @param {(Node | string)[]} said
   * @param {() => void} onRetry
   */
  const problem = (said, onRetry) => {
    settle();
    const note = element("p", {}, ...said);
    root.append(element("div", { className: "problem" }, note, button("Ask again", onRetry)));
  };
  return {
    root,
    get text() {
      return words.data;
    },
    /** @param {import("./chat-stream.js").ChatEvent} event */
    handle: (event) => {
      if (event.kind === "step") steps.add(event.text);
      else if (event.kind === "restarted") words.data = "";
      else if (event.kind === "text") {
        if (words.data === "") steps.settle();
        words.appendData(event.text);
      } else if (event.kind === "citations") {
        const { citations } = event;
        const whole = words.data;
        text.replaceChildren(...answerText(whole, { count: citations.length, prefix }));
        root.append(citationList(citations, { prefix, cited: citedIn(whole, citations.length) }));
      } else if (event.kind === "version") {
        if (!model.endsWith(`@${event.version}`)) version.textContent = event.version;
        facts = [event.lmCalls === 1 ? "1 LM call" : `${event.lmCalls} LM calls`];
      } else if (event.kind === "usage") {
        const [sent, got] = [event.promptTokens, event.completionTokens];
        facts.push(`${sent.toLocaleString("en")} tokens in`, `${got.toLocaleString("en")} out`);
      }
    },
    /** @param {Node | null} rating */
    end: (rating) => {
      facts.push(`${((now() - startMs) / 1000).toFixed(1)} s`);
      settle();
      if (rating !== null) root.append(rating);
    },
    /** @param {() => void} onRetry */
    stop: (onRetry) => problem(["Stopped. Later questions will not include this answer."], onRetry),
    /**
     * @param {import("./server-fault.js").ServerFault} fault
     * @param {() => void} onRetry
     */
    fail: ({ message, advice, code }, onRetry) => {
      const label = element("span", { className: "aside" }, code);
      problem([element("strong", {}, message), ` ${advice} `, label], onRetry);
    },
  };
}
