/**
 * The 64 emoji of a fingerprint, in the order of the service's own list: it is part of the protocol. Their names are in
 * the catalogue of words, in the same order, as they differ by language.
 */
export const EMOJI = Array.from(
  [
    '🐶🐱🐭🐰🦊🐻🐼🦁🐮🐷🐸🐵🐔🐧🦉🦆',
    '🐴🦄🐝🦋🐌🐞🐢🐙🦀🐬🐳🦈🐘🐪🌵🌻',
    '🍄🌈🌙🔥🍎🍋🍌🍉🍇🍓🍒🍍🥝🥑🌽🥕',
    '🍞🧀🍕🌮🍩🎂🍿🎈🎸🎲🚀🚲🚂⚓🔑⏰',
  ].join(''),
);
