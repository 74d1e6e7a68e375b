const emphasised = 7;

/** Head and last digits; a number too short to have a head is all tail. */
export const splitIdentifier = (value: string): [head: string, tail: string] => [
  value.slice(0, Math.max(0, value.length - emphasised)),
  value.slice(-emphasised),
];
