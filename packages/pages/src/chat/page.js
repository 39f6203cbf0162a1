// @ts-check
/**
 * The page's entry: connects its elements to a conversation. Uses the same routes as every client,
 * and stores nothing but a key.
 */
import { conversation } from "./conversation.js";
import { button, byId, element } from "./element.js";
import { keyRing } from "./key-ring.js";
import { modelChoice } from "./model-choice.js";
import { server } from "./server.js";
import { asFault } from "./server-fault.js";
import { startView } from "./start-view.js";

const form = byId("composer", HTMLFormElement);
const question = byId("question", HTMLTextAreaElement);
const askButton = byId("ask", HTMLButtonElement);
const stopButton = byId("stop", HTMLButtonElement);
const compare = byId("compare", HTMLInputElement);
const second = byId("second", HTMLElement);
const notice = byId("notice", HTMLElement);
const problem = byId("problem", HTMLElement);

const asked = server(keyRing(restart));
const start = startView(ask);
const first = modelChoice({
  program: "program-1",
  version: "version-1",
  onChange: () => start.show(first.model),
});
const beside = modelChoice({ program: "program-2", version: "version-2" });
let isReady = false;
let isBusy = false;
let isRated = false;

const talk = conversation({
  server: asked,
  isRated: () => isRated,
  now: () => performance.now(),
  onBusy: (now) => {
    isBusy = now;
    // Focus must not disappear together with its button.
    if (!now && document.activeElement === stopButton) question.focus();
    stopButton.hidden = !now;
    askButton.disabled = now || !isReady;
  },
  onFault: ({ code }) => {
    if (code === "model_not_found") void load();
  },
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = question.value.trim();
  if (text !== "") ask(text);
  question.focus();
});
question.addEventListener("keydown", (event) => {
  // While a character is being composed, Enter ends the composition.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
stopButton.addEventListener("click", talk.stop);
compare.addEventListener("change", () => {
  second.hidden = !compare.checked;
  document.body.classList.toggle("compared", compare.checked);
  if (compare.checked) beside.beginAt(first.program);
});
byId("new", HTMLButtonElement).addEventListener("click", restart);

await load();

/** @param {string} text */
function ask(text) {
  if (isBusy || !isReady) return;
  start.begun(true);
  talk.ask(text, compare.checked ? [first.id, beside.id] : [first.id]);
  question.value = "";
  question.focus();
}

function restart() {
  talk.clear();
  start.begun(false);
  question.focus();
  void load();
}

async function load() {
  try {
    const { name, feedback, notice: noticeText } = await asked.about();
    document.title = name;
    byId("name", HTMLElement).textContent = name;
    isRated = feedback === true;
    notice.hidden = noticeText === undefined;
    notice.textContent = noticeText ?? "";
    const models = await asked.models();
    first.offer(models);
    beside.offer(models);
    start.show(first.model);
    isReady = true;
    problem.hidden = true;
    if (document.activeElement === document.body) question.focus();
  } catch (error) {
    const { message, advice } = asFault(error);
    isReady = false;
    problem.hidden = false;
    problem.replaceChildren(
      element("p", {}, element("strong", {}, message), ` ${advice}`),
      button("Try again", () => void load()),
    );
  }
  askButton.disabled = isBusy || !isReady;
}
