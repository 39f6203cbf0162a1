// @ts-check
import { byId } from "./element.js";

const storageName = "espalier-key";

/**
 * The key that this tab asks with: kept until the tab is closed, and sent to this server alone.
 *
 * @typedef {ReturnType<typeof keyRing>} KeyRing
 * @param {() => void} onChange
 */
export function keyRing(onChange) {
  const dialog = byId("key-dialog", HTMLDialogElement);
  const form = byId("key-form", HTMLFormElement);
  const field = byId("key", HTMLInputElement);
  const problem = byId("key-problem", HTMLElement);
  /** @type {PromiseWithResolvers<boolean> | null} */
  let asking = null;

  /** @param {string | null} key */
  const keep = (key) => {
    if (key === null) sessionStorage.removeItem(storageName);
    else sessionStorage.setItem(storageName, key);
    onChange();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = field.value.trim();
    if (key === "") return field.focus();
    keep(key);
    dialog.close("given");
  });
  byId("key-cancel", HTMLButtonElement).addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    field.value = "";
    asking?.resolve(dialog.returnValue === "given");
    asking = null;
    dialog.returnValue = "";
  });

  return {
    get current() {
      return sessionStorage.getItem(storageName);
    },
    forget: () => keep(null),
    /**
     * Asks the person; whoever asks while the question stands gets the same answer.
     *
     * @param {string} why
     * @returns {Promise<boolean>} whether a key was given
     */
    ask: (why) => {
      if (asking === null) {
        asking = Promise.withResolvers();
        problem.textContent = why;
        dialog.showModal();
      }
      return asking.promise;
    },
  };
}
