const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Whether a text without spaces is an IBAN with correct check digits (ISO 13616: modulo 97 is 1). */
export const isIban = (text: string): boolean =>
  iban.test(text) &&
  BigInt((text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => `${parseInt(letter, 36)}`)) %
    97n ===
    1n;

/** Formats an IBAN in groups of four. */
export const formatIban = (text: string): string => text.replaceAll(/(.{4})(?=.)/g, '$1 ');
