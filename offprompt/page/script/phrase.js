/** A phrase that stays one: shown on the page, it can be said again in another language. */

export class Phrase {
  /** @param {() => string} said the text in the language of the moment */
  constructor(said) {
    this.toString = said;
  }
}
