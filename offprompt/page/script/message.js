/** A line for the person: ours is a phrase, in the language of the page; the service's own are English sentences. */

import { make } from './dom.js';
import { Phrase } from './words.js';

/** @param {Phrase | string} text @returns {HTMLSpanElement} said by a screen reader as the language it is in */
export const message = (text) => make('span', text instanceof Phrase ? {} : { lang: 'en', dir: 'ltr' }, text);
