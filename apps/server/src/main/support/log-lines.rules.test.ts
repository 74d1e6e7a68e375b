import { describe, expect, it } from 'vitest';
import { safeLines } from './log-lines.rules.ts';

const safe = (record: object) => JSON.parse(safeLines([JSON.stringify(record)]).lines[0] ?? '');

describe('log records', () => {
  it('keep what happened, without personal data', () => {
    const record = {
      level: 40,
      time: 1_763_950_000_000,
      part: 'jobs',
      job: 'mail.send',
      attempt: 3,
      msg: 'a job failed',
      to: 'ana@acme.example',
      iccid: '8934071234567890123',
      body: { name: 'Ana' },
    };
    expect(safe(record)).toEqual({
      level: 40,
      time: 1_763_950_000_000,
      part: 'jobs',
      job: 'mail.send',
      attempt: 3,
      msg: 'a job failed',
    });
  });

  it('keep an error’s type, code and stack, without its message', () => {
    const stack = [
      'DatabaseError: duplicate key (email)=(ana@acme.example)',
      '    at Parser.parse (/home/ana/cube/node_modules/pg-protocol/src/parser.ts:369:69)',
      '    at async file:///home/ana/cube/apps/server/dist/server.js:12:7',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    ].join('\n');
    const err = { type: 'DatabaseError', code: '23505', message: 'duplicate key ana@acme.example', stack };
    expect(safe({ level: 50, msg: 'a request failed', err })).toEqual({
      level: 50,
      msg: 'a request failed',
      err: {
        type: 'DatabaseError',
        code: '23505',
        at: [
          'Parser.parse parser.ts:369:69',
          'server.js:12:7',
          'process.processTicksAndRejections task_queues:95:5',
        ],
      },
    });
  });

  it('lose the directories of this machine', () => {
    const record = { level: 60, msg: 'The data directory /home/ana/data can’t be written' };
    const { lines } = safeLines([JSON.stringify(record)], { '/home/ana/data': '[data directory]' });
    expect(JSON.parse(lines[0] ?? '').msg).toBe('The data directory [data directory] can’t be written');
  });

  it('lose library output and fields of the wrong type', () => {
    const printed = { level: 30, console: true, msg: 'Hello Ana', job: { name: 'Ana' }, count: 'Ana' };
    expect(safe(printed)).toEqual({ level: 30, msg: '[text of a library]' });
  });

  it('omit lines that are not JSON records, and count them', () => {
    expect(safeLines(['Ana signed in', '[1]', '"Ana"', '{"level":30}'])).toEqual({
      lines: ['{"level":30}'],
      leftOut: 3,
    });
  });
});
