/** Elements in one expression. Text is always text: nothing here reads HTML. */

/**
 * @param {string} tag
 * @param {Record<string, any>} attributes `class` and the like; a function is a listener (`onclick`), true an attribute
 *   without a value, false, null and undefined none
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {string} id @returns {any} */
export const found = (id) => document.getElementById(id);
