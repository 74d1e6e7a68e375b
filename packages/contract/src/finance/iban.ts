const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Whether a text is an IBAN, without spaces: its check digits are right (ISO 13616: modulo 97 is 1). */
export const isIban = (text: string): boolean =>
  iban.test(text) &&
  BigInt((text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => `${parseInt(letter, 36)}`)) %
    97n ===
    1n;

/** In groups of four, as people read it. */
export const ibanShown = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, '$1 ');
