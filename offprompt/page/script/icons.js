/** The page's few signs, in the colour of the text beside them, which says the same. */

const SVG = 'http://www.w3.org/2000/svg';

const PATHS = {
  done: 'M3.5 8.5l3 3 6-7',
  kept: 'M3.5 6h9M3.5 10h9',
  warn: 'M8 2.2 14.3 13.5H1.7ZM8 6.5v3.2M8 11.6v.1',
  block: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 1 0 8 1.8M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
  lock: 'M3.5 7.2h9v6.6h-9ZM5.2 7.2V5a2.8 2.8 0 0 1 5.6 0v2.2',
  open: 'M8 4.6a3.4 3.4 0 1 0 0 6.8A3.4 3.4 0 1 0 8 4.6',
  out: 'M6 3.5H3.5v9h9V10M9.5 3.5h3v3M12.3 3.7 7.5 8.5',
  file: 'M4 2.2h5l3 3v8.6H4ZM9 2.2v3h3',
  undo: 'M6 3.5 3 6.5l3 3M3 6.5h6a3.5 3.5 0 0 1 0 7H6.5',
  speech: 'M2.2 3.2h11.6v7.6H7.4L4.2 13.6v-2.8h-2ZM5 7h.1M8 7h.1M11 7h.1',
  spark: 'M8 2c.6 3.6 2.4 5.4 6 6-3.6.6-5.4 2.4-6 6-.6-3.6-2.4-5.4-6-6 3.6-.6 5.4-2.4 6-6Z',
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('class', `icon ${name}`);
  picture.setAttribute('viewBox', '0 0 16 16');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  picture.append(path);
  return picture;
}

/**
 * A provider's sign, in the colour of the text beside it, which names the provider.
 *
 * @param {string} path of a picture of 24 by 24
 */
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
