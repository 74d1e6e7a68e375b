/**
 * Text as UTF-8. Some gateways terminate strings with a NUL, which is removed. A NUL inside becomes U+FFFD, because database
 * text cannot contain it and one invalid string must not fail its whole batch.
 */
export function readText(raw: Buffer, start: number, end: number): string {
  let last = end;
  while (last > start && raw[last - 1] === 0) last -= 1;
  // One pass decides: plain ASCII, which is nearly always the case, is decoded the cheap way.
  for (let i = start; i < last; i += 1) {
    const octet = raw[i] ?? 0;
    if (octet === 0 || octet > 0x7f) return raw.toString('utf8', start, last).replaceAll('\0', '\ufffd');
  }
  return raw.toString('latin1', start, last);
}
