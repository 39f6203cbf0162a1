// @ts-check
import { button, byId, element } from "./element.js";

/**
 * What stands where no question has been asked yet: what the chosen program answers, and questions
 * that a click asks.
 *
 * @param {(question: string) => void} ask
 */
export function startView(ask) {
  const root = byId("start", HTMLElement);
  const description = byId("description", HTMLElement);
  const title = byId("examples-title", HTMLElement);
  const list = byId("examples", HTMLElement);
  let isEmpty = true;
  let hasBegun = false;

  const settle = () => {
    root.hidden = isEmpty || hasBegun;
  };
  return {
    /** @param {import("./server.js").Model | undefined} model */
    show: (model) => {
      const { description: text = "", example_questions: questions = [] } = model ?? {};
      description.textContent = text;
      description.hidden = text === "";
      title.hidden = questions.length === 0;
      list.replaceChildren(
        ...questions.map((question) =>
          element(
            "li",
            {},
            button(question, () => ask(question), "example"),
          ),
        ),
      );
      isEmpty = text === "" && questions.length === 0;
      settle();
    },
    /** @param {boolean} now whether there is a question */
    begun: (now) => {
      hasBegun = now;
      settle();
    },
  };
}
