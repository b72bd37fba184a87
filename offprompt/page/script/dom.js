/**
 * Elements in one expression. Text is always text: nothing here reads HTML.
 *
 * A node remembers the `Phrase` it was made from, so that it can be said again in another language.
 */

import { Phrase } from './words.js';

/** @type {WeakMap<Text, Phrase>} */
const texts = new WeakMap();
/** @type {WeakMap<Element, Record<string, Phrase>>} */
const attributes = new WeakMap();

/** @param {Node | Phrase | string} child @returns {Node | string} */
function node(child) {
  if (!(child instanceof Phrase)) return child;
  const text = document.createTextNode(String(child));
  texts.set(text, child);
  return text;
}

/**
 * @param {string} tag
 * @param {Record<string, any>} given `class` and the like; a function is a listener (`onclick`), true an attribute
 *   without a value, false, null and undefined none
 * @param {...(Node | Phrase | string | null | undefined | false)} children
 * @returns {any}
 */
export function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) attribute(element, name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map(node));
  return element;
}

/**
 * Replace everything in `element` by this text.
 *
 * @param {Element} element
 * @param {Phrase | string} text
 */
export const put = (element, text) => element.replaceChildren(node(text));

/**
 * @param {Element} element
 * @param {string} name
 * @param {any} value null removes it
 */
export function attribute(element, name, value) {
  const all = attributes.get(element) ?? {};
  if (value instanceof Phrase) attributes.set(element, { ...all, [name]: value });
  else delete all[name];
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, String(value));
}

/** Say every phrase on the page again. */
export function sayAgain() {
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let at = walker.currentNode; at; at = walker.nextNode()) {
    if (at instanceof Text && texts.has(at)) at.data = String(texts.get(at));
    for (const [name, phrase] of Object.entries(attributes.get(at) ?? {})) at.setAttribute(name, String(phrase));
  }
}

/**
 * A line for the person. Ours is a phrase in the language of the page; the service's own are English sentences, and a
 * screen reader says them as English.
 *
 * @param {Phrase | string} text
 * @returns {HTMLSpanElement}
 */
export const message = (text) => make('span', text instanceof Phrase ? {} : { lang: 'en', dir: 'ltr' }, text);

/** @param {string} id @returns {any} */
export const found = (id) => document.getElementById(id);
