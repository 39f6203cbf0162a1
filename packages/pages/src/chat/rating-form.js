// @ts-check
import { button, element } from "./element.js";
import { asFault } from "./server-fault.js";

/**
 * Thumbs for one answer. A thumb is sent at once, the text below it on submit; the latest rating
 * counts.
 *
 * @param {{ send: (rating: import("./server.js").Rating) => Promise<unknown>, prefix: string }}
 * options
 */
export function ratingForm({ send, prefix }) {
  const up = thumb("Good answer", "up", () => rate("up"));
  const down = thumb("Bad answer", "down", () => rate("down"));
  const comment = field(`${prefix}-comment`, "Comment", 2);
  const correction = field(`${prefix}-correction`, "What the answer should have been", 3);
  const state = element("p", { className: "state aside", role: "status" });
  const form = element(
    "form",
    { hidden: true },
    ...comment.parts,
    ...correction.parts,
    element("button", { type: "submit" }, "Send"),
  );
  /** @type {"up" | "down"} */
  let chosen = "up";

  let sent = Promise.resolve();

  /** @param {string} done */
  const submit = (done) => {
    state.textContent = "Sending…";
    sent = sendAfter(sent, done);
  };
  /**
   * Sends one rating after the other, so that an earlier one cannot overtake the latest.
   *
   * @param {Promise<void>} earlier
   * @param {string} done
   */
  const sendAfter = async (earlier, done) => {
    await earlier;
    try {
      await send({
        rating: chosen,
        comment: comment.input.value,
        correction: correction.input.value,
      });
      state.textContent = done;
    } catch (error) {
      const { message, advice } = asFault(error);
      state.textContent = `Not saved. ${message} ${advice}`;
    }
  };
  /** @param {"up" | "down"} rating */
  const rate = (rating) => {
    chosen = rating;
    up.ariaPressed = String(rating === "up");
    down.ariaPressed = String(rating === "down");
    form.hidden = false;
    form.scrollIntoView({ block: "nearest" });
    submit("Saved. You can add details.");
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit("Saved. Thank you.");
  });
  return element(
    "div",
    { className: "rating", role: "group", ariaLabel: "Rate this answer" },
    element("div", { className: "thumbs" }, up, down, state),
    form,
  );
}

/**
 * @param {string} label
 * @param {"up" | "down"} direction
 * @param {() => void} onClick
 */
function thumb(label, direction, onClick) {
  const made = button(label, onClick, `thumb ${direction}`);
  made.ariaPressed = "false";
  return made;
}

/**
 * @param {string} id
 * @param {string} label
 * @param {number} rows
 */
function field(id, label, rows) {
  const input = element("textarea", { id, rows, maxLength: 20_000 });
  return { input, parts: [element("label", { htmlFor: id }, label), input] };
}
