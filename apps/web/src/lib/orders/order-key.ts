/**
 * A new key of an order, by which the server knows it when it comes again. `crypto.randomUUID` would do, but is missing where
 * the console is opened without TLS.
 */
export const newOrderKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
