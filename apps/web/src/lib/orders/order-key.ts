/** A new idempotency key. `crypto.randomUUID` is not available when the console is opened without TLS. */
export const newOrderKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
