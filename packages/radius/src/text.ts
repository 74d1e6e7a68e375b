/**
 * Text as UTF-8. Some gateways end strings with a NUL; it is cut. A NUL inside becomes U+FFFD, because no
 * database text can hold it and one bad string must not spoil the batch it is in.
 */
export function readText(raw: Buffer, start: number, end: number): string {
  let last = end;
  while (last > start && raw[last - 1] === 0) last -= 1;
  // One pass decides: plain ASCII (nearly always) takes the cheap way.
  for (let i = start; i < last; i += 1) {
    const octet = raw[i] ?? 0;
    if (octet === 0 || octet > 0x7f) return raw.toString('utf8', start, last).replaceAll('\0', '\ufffd');
  }
  return raw.toString('latin1', start, last);
}
