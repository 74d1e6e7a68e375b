import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSseParser, type SseMessage } from './sse-parser.ts';

const parse = (...chunks: string[]) => {
  const messages: SseMessage[] = [];
  const retries: number[] = [];
  const parser = createSseParser({
    message: (message) => messages.push(message),
    retry: (ms) => retries.push(ms),
  });
  for (const chunk of chunks) parser.push(chunk);
  return { messages, retries };
};

test('the parser follows the HTML standard for fields, comments, defaults and unknown fields', () => {
  const { messages, retries } = parse(
    ': heartbeat\n',
    'retry: 2500\nretry: soon\n',
    'id: 7\nevent: sim.usage\ndata: {"a":\ndata:1}\nnonsense: x\n\n',
    'data\n\n',
    'event: nothing\n\n',
    'id: has\0null\ndata:  two blanks\n\n',
    'data: unfinished',
  );
  expect(retries).toEqual([2500]);
  expect(messages).toEqual([
    { id: '7', event: 'sim.usage', data: '{"a":\n1}' },
    { id: '7', event: 'message', data: '' },
    { id: '7', event: 'message', data: ' two blanks' },
  ]);
});

test('the parser’s result does not depend on chunks and line ends', () => {
  const ends = fc.constantFrom('\n', '\r', '\r\n');
  const lines = ['id: 1', 'event: a', 'data: x', 'data: y', '', ': c', 'data: z', ''];
  fc.assert(
    fc.property(ends, fc.array(fc.nat(60), { maxLength: 8 }), (end, cuts) => {
      const text = lines.map((line) => line + end).join('');
      const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
      // A lone CR at the very end waits for the LF that may follow it.
      expect(parse(...chunks, ':').messages).toEqual([
        { id: '1', event: 'a', data: 'x\ny' },
        { id: '1', event: 'message', data: 'z' },
      ]);
    }),
  );
});

test('the parser rejects an event that is too large', () => {
  expect(() => parse(`data: ${'x'.repeat(4_000_001)}`)).toThrow(/too large/);
});
