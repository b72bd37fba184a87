/** The browser's own question before a page is left, asked only while something typed would be lost. */

const ask = (event) => {
  event.preventDefault();
  event.returnValue = true; // Chromium before 119 looks at this alone
};

/** @param {boolean} typed there is something to lose; else there is no listener, as one slows Back down */
export function askBeforeLeaving(typed) {
  if (typed) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}
