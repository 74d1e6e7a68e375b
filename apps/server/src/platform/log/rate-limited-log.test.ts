import { expect, it } from 'vitest';
import { createLog } from './index.ts';
import { createRateLimitedLog } from './rate-limited-log.ts';

it('a rate-limited log writes a message once a minute, with the number of omitted ones', () => {
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line: string) => void lines.push(line) },
  });
  let now = 1_000;
  const write = createRateLimitedLog(log, () => now);
  for (let packet = 0; packet < 5; packet += 1) write('warn', 'a packet failed', { packet });
  write('info', 'something else', {});
  now += 60_000;
  write('warn', 'a packet failed', { packet: 6 });
  now += 60_000;
  write('warn', 'a packet failed', { packet: 7 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'a packet failed', packet: 0, level: 40 }),
    expect.objectContaining({ msg: 'something else', level: 30 }),
    expect.objectContaining({ msg: 'a packet failed', packet: 6, leftOut: 4 }),
    expect.not.objectContaining({ leftOut: expect.anything() }),
  ]);
});
