/**
 * Waits until a press of mouse or finger is over. A field that loses the focus gets shorter or longer; done at once, the
 * button that is being pressed would move away under the pointer, and the press would be none.
 */

/** In ms after the pointer is up, when the click has been delivered: touch screens send theirs late. */
const CLICKED = 120;

let down = false;
addEventListener('pointerdown', () => (down = true), true);
for (const event of ['pointerup', 'pointercancel']) addEventListener(event, () => (down = false), true);

/** @param {() => void} then */
export function afterPointer(then) {
  setTimeout(() => (down ? afterPointer(then) : then()), CLICKED);
}
