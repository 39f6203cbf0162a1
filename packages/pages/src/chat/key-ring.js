// @ts-check
import { byId } from "./element.js";

const storageName = "espalier-key";

/**
 * This tab's API key: stored until the tab is closed, and sent only to this server.
 *
 * @typedef {ReturnType<typeof keyRing>} KeyRing
 * @param {() => void} onForget
 */
export function keyRing(onForget) {
  const dialog = byId("key-dialog", HTMLDialogElement);
  const form = byId("key-form", HTMLFormElement);
  const field = byId("key", HTMLInputElement);
  const problem = byId("key-problem", HTMLElement);
  const forget = byId("forget", HTMLButtonElement);
  /** @type {PromiseWithResolvers<boolean> | null} */
  let asking = null;

  const current = () => sessionStorage.getItem(storageName);
  const show = () => {
    forget.hidden = current() === null;
  };
  show();
  forget.addEventListener("click", () => {
    sessionStorage.removeItem(storageName);
    show();
    onForget();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(storageName, field.value.trim());
    show();
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
    current,
    /**
     * Asks the user for a key; concurrent calls share one dialog.
     *
     * @param {import("./server-fault.js").ServerFault} fault
     * @returns {Promise<boolean>} whether the user entered a key
     */
    ask: ({ code, message }) => {
      if (asking === null) {
        asking = Promise.withResolvers();
        problem.textContent = code === "invalid_api_key" ? message : "";
        dialog.showModal();
      }
      return asking.promise;
    },
  };
}
