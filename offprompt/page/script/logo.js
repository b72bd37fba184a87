/** A provider's sign, in the colour of the text beside it, which names the provider. */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} path of a picture of 24 by 24 */
export function logo(path) {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', 'logo');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  picture.append(shape);
  return picture;
}
