/**
 * Waits until a press of mouse or finger is over. A field that loses the focus changes its height. Done at once, that
 * would move the pressed button away from under the pointer, and the press would be lost.
 */

/** In ms after the pointer is up: touch screens deliver the click late. */
const CLICKED = 120;

let down = false;
addEventListener('pointerdown', () => (down = true), true);
for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => (down = false), true);

/** @param {() => void} then */
export function afterPointer(then) {
  setTimeout(() => (down ? afterPointer(then) : then()), CLICKED);
}
