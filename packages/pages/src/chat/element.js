// @ts-check

/**
 * A new element. Strings among the children become text, never HTML.
 *
 * @template {keyof HTMLElementTagNameMap} TName
 * @param {TName} name
 * @param {Partial<HTMLElementTagNameMap[TName]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[TName]}
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/**
 * A button that does not submit a form.
 *
 * @param {string} label
 * @param {() => void} onClick
 * @param {string} [className]
 */
export function button(label, onClick, className = "") {
  const made = element("button", { type: "button", className }, label);
  made.addEventListener("click", onClick);
  return made;
}

/**
 * The element of the page with this id.
 *
 * @template {HTMLElement} TElement
 * @param {string} id
 * @param {new () => TElement} kind
 * @returns {TElement}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} with the id ${id}`);
}
