// @ts-check
import { element } from "./element.js";

/** The steps of a program as they arrive: open until the answer begins, then collapsed. */
export function stepList() {
  const count = element("span", {}, "Steps");
  const summary = element("summary", {}, count);
  const list = element("ol");
  const root = element(
    "details",
    { className: "steps aside", hidden: true, open: true },
    summary,
    list,
  );
  let isChosen = false;
  summary.addEventListener("click", () => {
    isChosen = true;
  });
  return {
    root,
    /** @param {string} text */
    add: (text) => {
      root.hidden = false;
      list.append(element("li", {}, text.trim()));
      count.textContent =
        list.childElementCount === 1 ? "1 step" : `${list.childElementCount} steps`;
    },
    /** Collapses the list unless the user has toggled it. */
    settle: () => {
      if (!isChosen) root.open = false;
    },
  };
}
