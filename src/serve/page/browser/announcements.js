// @ts-check
import { byId, element } from "./element.js";

/**
 * What a screen reader says unasked: an answer once, when it is whole, and not piece by piece. Nobody
 * sees it.
 *
 * @typedef {ReturnType<typeof announcements>} Announcements
 */
export function announcements() {
  const log = byId("announcements", HTMLElement);
  return {
    /** @param {string} text */
    say: (text) => log.append(element("p", {}, text)),
    clear: () => log.replaceChildren(),
  };
}
