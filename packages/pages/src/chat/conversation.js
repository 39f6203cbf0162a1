// @ts-check
import { answerView } from "./answer-view.js";
import { byId, element } from "./element.js";
import { ratingForm } from "./rating-form.js";
import { asFault } from "./server-fault.js";

/**
 * @typedef {{ view: import("./answer-view.js").AnswerView, isWhole: boolean }} Answer
 * @typedef {{ question: string, root: HTMLElement, answers: (Answer | undefined)[] }} Turn
 */

/**
 * Questions with the answers of one or two models, each with its own history.
 *
 * @param {{
 *   server: import("./server.js").Server,
 *   isRated: () => boolean,
 *   now: () => number,
 *   onBusy: (isBusy: boolean) => void,
 *   onFault: (fault: import("./server-fault.js").ServerFault) => void,
 * }} parts
 */
export function conversation({ server, isRated, now, onBusy, onFault }) {
  const list = byId("turns", HTMLElement);
  // Announced by screen readers: each answer once, when it is complete, not piece by piece.
  const log = byId("announcements", HTMLElement);
  const say = (/** @type {string} */ text) => log.append(element("p", {}, text));
  /** @type {Turn[]} */
  let turns = [];
  /** @type {Set<AbortController>} */
  const running = new Set();
  let answerCount = 0;
  /** The turn to keep in view while it grows; none once the person has scrolled. */
  /** @type {HTMLElement | null} */
  let followed = null;
  const follow = () => followed?.scrollIntoView({ behavior: "instant" });
  for (const kind of ["wheel", "touchmove"]) {
    document.addEventListener(kind, () => (followed = null), { passive: true });
  }
  document.addEventListener("keydown", ({ key, target }) => {
    const isWriting = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (!isWriting && /^(?:Page|Arrow|Home|End|Tab)/.test(key)) followed = null;
  });

  /**
   * @param {Turn} turn
   * @param {{ side: number, model: string }} asked
   */
  const run = async (turn, { side, model }) => {
    answerCount += 1;
    const prefix = `answer-${answerCount}`;
    const view = answerView({ model, prefix, now });
    /** @type {Answer} */
    const answer = { view, isWhole: false };
    const before = turn.answers[side];
    if (before === undefined) turn.root.append(view.root);
    else before.view.root.replaceWith(view.root);
    turn.answers[side] = answer;

    const controller = new AbortController();
    const { signal } = controller;
    const again = () => {
      void run(turn, { side, model });
      // The button that had focus is gone.
      turn.answers[side]?.view.root.focus();
    };
    running.add(controller);
    onBusy(true);
    try {
      let id = "";
      for await (const event of server.ask({ model, messages: messages(turn, side), signal })) {
        if (event.kind === "whole") ({ id } = event);
        else view.handle(event);
        follow();
      }
      answer.isWhole = true;
      const send = (/** @type {import("./server.js").Rating} */ rating) => server.rate(id, rating);
      view.end(isRated() ? ratingForm({ send, prefix }) : null);
      say(`${model} answered: ${view.text}`);
    } catch (error) {
      if (signal.aborted) {
        view.stop(again);
        say(`${model} was stopped.`);
      } else {
        const fault = asFault(error);
        view.fail(fault, again);
        say(`${model} did not answer. ${fault.message} ${fault.advice}`);
        onFault(fault);
      }
    } finally {
      follow();
      running.delete(controller);
      if (running.size === 0) followed = null;
      onBusy(running.size > 0);
    }
  };

  /**
   * Only complete answers are history. If a side was not asked, its history uses the first side's
   * answer.
   *
   * @param {Turn} turn
   * @param {number} side
   * @returns {import("./server.js").Message[]}
   */
  const messages = (turn, side) => {
    const earlier = turns.slice(0, turns.indexOf(turn)).flatMap(({ question, answers }) => {
      const answer = answers[side] ?? answers[0];
      return answer?.isWhole ? [question, answer.view.text] : [];
    });
    return [...earlier, turn.question].map((content, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content,
    }));
  };

  const stop = () => {
    for (const controller of running) controller.abort();
  };
  return {
    /**
     * @param {string} question
     * @param {readonly string[]} models one, or two to compare
     */
    ask: (question, models) => {
      const root = element("div", { className: "answers" });
      const heading = element("h2", {}, question);
      const section = element("section", { className: "turn" }, heading, root);
      /** @type {Turn} */
      const turn = { question, root, answers: [] };
      turns = [...turns, turn];
      log.replaceChildren();
      list.append(section);
      followed = section;
      models.forEach((model, side) => void run(turn, { side, model }));
      section.scrollIntoView();
    },
    stop,
    clear: () => {
      stop();
      turns = [];
      followed = null;
      list.replaceChildren();
      log.replaceChildren();
    },
  };
}
