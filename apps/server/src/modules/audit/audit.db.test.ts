import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../platform/access/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { readPage } from '../../platform/lists/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { auditCommands } from './audit.cli.ts';
import { verifyChains } from './audit.verify.ts';
import { entryList, readChain } from './audit.views.ts';
import { type NewAuditEntry, operatorActor, recordAudit } from './index.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 24 });
});

afterAll(() => database.close());

beforeEach(async () => {
  await sql('truncate audit_entries, audit_heads');
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const sql = (statement: string, values: unknown[] = []) => database.pool.query(statement, values);

const actor: Actor = {
  kind: 'person',
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Ana Ruiz',
  address: '::ffff:192.0.2.7',
  traceId: 'trace-1',
  action: 'account.updated',
};

const record = (orgId: number | null, change: Partial<NewAuditEntry> = {}): Promise<void> =>
  inTransaction(database.pool, (tx) =>
    recordAudit(tx, {
      orgId,
      actor,
      at: new Date('2026-11-21T12:00:00.123Z'),
      subject: { kind: 'account', id: 's-1', name: 'Bea Kim' },
      before: { role: 'user', limits: { z: 1, a: [1.5, 1e21, -0] } },
      after: { role: 'admin', emoji: '😀', none: null },
      ...change,
    }),
  );

const fill = async (orgId: number, count: number): Promise<void> => {
  for (let i = 1; i <= count; i += 1) {
    await record(orgId, { subject: { kind: 'account', id: `s-${i}`, name: `Subject ${i}` } });
  }
};

const verdictOf = async (orgId: number) => {
  const verdicts = await verifyChains(database.pool, {});
  return verdicts.find((verdict) => verdict.org_id === orgId);
};

describe('a chain', () => {
  it('contains what was recorded, is intact, and exists once per organisation', async () => {
    await fill(1, 3);
    await record(2, { action: 'account.removed', after: null });
    await record(null, { actor: { ...operatorActor(), action: 'organisation.created' }, before: null });
    const query = {
      scope: { orgId: 1 },
      filter: {},
      now: new Date(0),
      page: { page_no: 1, page_size: 1 },
    };
    const [newest] = (await readPage(database.db, entryList, query)).data;
    expect(newest).toEqual({
      number: 3,
      at: '2026-11-21T12:00:00.123000Z',
      action: 'account.updated',
      actor: { kind: 'person', id: actor.id, name: 'Ana Ruiz' },
      subject: { kind: 'account', id: 's-3', name: 'Subject 3' },
      before: { role: 'user', limits: { z: 1, a: [1.5, 1e21, 0] } },
      after: { role: 'admin', emoji: '😀', none: null },
      address: '192.0.2.7',
      trace_id: 'trace-1',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const verdicts = await verifyChains(database.pool, {});
    expect(verdicts.map(({ org_id, entries, broken }) => [org_id, entries, broken])).toEqual([
      [0, 1, null],
      [1, 3, null],
      [2, 1, null],
    ]);
    expect(verdicts[1]?.head).toEqual({ number: 3, hash: newest?.hash });
  });

  it('stores any value of a caller as it was hashed', async () => {
    await record(1, {
      actor: { ...actor, address: 'not an address', name: 'zero\0 and half \ud800', traceId: null },
      subject: { kind: 'organisation', id: '1', name: '组织 "一"' },
      before: { zero: 'a\0b', half: '\udc00', tiny: 5e-324, huge: Number.MAX_SAFE_INTEGER, __proto__x: 1 },
      after: { at: new Date(0), missing: undefined, nested: { é: 1, e: 2, 'z\u{10ffff}': 3, '\uffff': 4 } },
    });
    await record(1, { actor: { ...actor, address: 'fe80::1%eth0' } });
    expect(await verdictOf(1)).toMatchObject({ entries: 2, broken: null });
  });

  it('has no entry without its change, and none twice', async () => {
    await fill(1, 1);
    await inTransaction(database.pool, async (tx) => {
      await recordAudit(tx, {
        orgId: 1,
        actor,
        at: new Date(),
        subject: { kind: 'person', id: 'x', name: 'x' },
      });
      throw new Error('the change failed');
    }).catch(() => undefined);
    await record(1);
    expect(await verdictOf(1)).toMatchObject({ entries: 2, head: { number: 2 }, broken: null });
  });

  it('rejects a change that its endpoint record does not name', async () => {
    await expect(record(1, { actor: { ...actor, action: undefined } })).rejects.toThrow('audit action');
  });

  it('has no gap after twenty concurrent writes', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => record(i % 5 === 0 ? 9 : 8)));
    expect(await verdictOf(8)).toMatchObject({ entries: 16, head: { number: 16 }, broken: null });
    expect(await verdictOf(9)).toMatchObject({ entries: 4, head: { number: 4 }, broken: null });
  });

  it('is read in batches', async () => {
    await fill(1, 5);
    const rows = await readChain(database.pool, { orgId: 1, above: 2, limit: 2 });
    expect(rows.map((row) => row.number)).toEqual([3, 4]);
  });
});

describe('verification reports the first entry affected, and why, for', () => {
  beforeEach(() => fill(1, 6));

  const changes: [string, string][] = [
    ['who', `actor_name = 'Another person'`],
    ['a microsecond', `at = at + interval '1 microsecond'`],
    ['what it became', `after = jsonb_set(after, '{role}', '"user"')`],
    ['what it was: nothing', 'before = null'],
    ['from where', `address = '192.0.2.8'`],
    ['its hash', `hash = decode(repeat('00', 32), 'hex')`],
  ];
  it.each(changes)('a changed entry (%s)', async (_, change) => {
    await sql(`update audit_entries set ${change} where org_id = 1 and number = 4`);
    expect(await verdictOf(1)).toMatchObject({ entries: 3, broken: { number: 4, why: 'changed' } });
  });

  it('a removed entry', async () => {
    await sql('delete from audit_entries where org_id = 1 and number = 3');
    expect(await verdictOf(1)).toMatchObject({ entries: 2, broken: { number: 3, why: 'missing' } });
  });

  it('a removed entry whose gap was closed', async () => {
    await sql('delete from audit_entries where org_id = 1 and number = 3');
    for (const number of [4, 5, 6]) {
      await sql('update audit_entries set number = number - 1 where org_id = 1 and number = $1', [number]);
    }
    expect(await verdictOf(1)).toMatchObject({ broken: { number: 3, why: 'changed' } });
  });

  it('a truncated chain', async () => {
    await sql('delete from audit_entries where org_id = 1 and number > 4');
    expect(await verdictOf(1)).toMatchObject({ entries: 4, broken: { number: 5, why: 'cut' } });
  });

  it('a deleted chain', async () => {
    await sql('delete from audit_entries where org_id = 1');
    expect(await verdictOf(1)).toMatchObject({ entries: 0, broken: { number: 1, why: 'cut' } });
  });

  it('a missing end, and entries beyond it', async () => {
    await sql(
      `update audit_heads set number = 5, hash = e.hash from audit_entries e
       where audit_heads.org_id = 1 and e.org_id = 1 and e.number = 5`,
    );
    expect(await verdictOf(1)).toMatchObject({ broken: { number: 6, why: 'beyond' } });
    await sql('delete from audit_heads');
    expect(await verdictOf(1)).toMatchObject({ head: null, broken: { number: 1, why: 'beyond' } });
  });

  it('two swapped entries', async () => {
    await sql('update audit_entries set number = 99 where org_id = 1 and number = 2');
    await sql('update audit_entries set number = 2 where org_id = 1 and number = 5');
    await sql('update audit_entries set number = 5 where org_id = 1 and number = 99');
    expect(await verdictOf(1)).toMatchObject({ broken: { number: 2, why: 'changed' } });
  });

  it('a chain moved to another organisation', async () => {
    await sql('update audit_entries set org_id = 2');
    await sql('update audit_heads set org_id = 2');
    expect(await verdictOf(2)).toMatchObject({ entries: 0, broken: { number: 1, why: 'changed' } });
  });
});

describe('the command line', () => {
  /** Runs `simcube audit …` and returns what it printed. */
  const audit = async (...args: string[]): Promise<string> => {
    const printed: string[] = [];
    vi.spyOn(console, 'info').mockImplementation((line: string) => printed.push(line));
    const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    auditCommands(program, async () => ({
      pool: database.pool,
      clock: systemClock,
      close: async () => undefined,
    }));
    await program.parseAsync(['audit', ...args], { from: 'user' });
    return printed.join('\n');
  };

  let orgId: number;

  beforeAll(async () => {
    const { rows } = await sql(
      `insert into organisations (code, name, country) values ('acme', 'Acme Limited', 'DE') returning id`,
    );
    orgId = rows[0].id;
  });

  it('reports an intact chain with the head to store, or where it breaks, with exit code 1', async () => {
    await fill(orgId, 3);
    await record(987);
    const [whole] = JSON.parse(await audit('verify', '--org', 'ACME', '--json'));
    expect(whole).toMatchObject({ org_id: orgId, code: 'acme', entries: 3, broken: null });
    expect(process.exitCode).toBeUndefined();
    expect(await audit('verify')).toBe(
      `acme\t3 entries\twhole\thead 3:${whole.head.hash}\n` +
        `(organisation 987, deleted)\t1 entries\twhole\thead ${(await verdictOf(987))?.head?.number}:${(await verdictOf(987))?.head?.hash}`,
    );

    await sql('delete from audit_entries where org_id = $1 and number = 2', [orgId]);
    expect(await audit('verify', '--org', 'acme')).toContain('BROKEN: entry 2 is missing');
    expect(process.exitCode).toBe(1);
  });

  it('detects a completely rewritten chain by a head stored elsewhere', async () => {
    await fill(orgId, 3);
    const kept = `3:${(await verdictOf(orgId))?.head?.hash}`;
    await sql('truncate audit_entries, audit_heads');
    await fill(orgId, 2);
    await record(orgId, { actor: { ...actor, name: 'Nobody' } });
    await fill(orgId, 1);
    expect((await verdictOf(orgId))?.broken).toBeNull();
    expect(await audit('verify', '--org', 'acme', '--kept', kept)).toContain('entry 3 is not the one');
    expect(process.exitCode).toBe(1);

    await sql('truncate audit_entries, audit_heads');
    expect(await audit('verify', '--org', 'acme', '--kept', kept)).toContain('entry 1 and all after it');
  });

  it('compares heads of chains without a code, and lists their entries: the installation’s, a deleted organisation’s', async () => {
    for (const chain of [0, 987]) {
      await fill(chain, 2);
      const kept = `2:${(await verdictOf(chain))?.head?.hash}`;
      const verify = () => audit('verify', '--chain', String(chain), '--kept', kept);
      expect(await verify()).toContain('2 entries\twhole');
      expect((await audit('list', '--chain', String(chain))).split('\n')).toHaveLength(2);
      await sql('delete from audit_entries where org_id = $1', [chain]);
      await sql('delete from audit_heads where org_id = $1', [chain]);
      expect(await verify()).toContain('BROKEN: entry 1 and all after it are missing');
    }
    await expect(audit('verify', '--chain', '988')).rejects.toThrow('There is no chain 988');
    await expect(audit('verify', '--chain', 'acme')).rejects.toThrow('number of a chain');
    await expect(audit('verify', '--chain', '0', '--org', 'acme')).rejects.toThrow('cannot be used with');
  });

  it('lists entries, newest first, without control characters', async () => {
    await fill(orgId, 2);
    await record(orgId, { subject: { kind: 'account', id: 'x', name: 'bad\u001b[2J\nname' } });
    const lines = (await audit('list', '--org', 'acme', '--limit', '2')).split('\n');
    expect(lines[0]).toMatch(
      /^3\t2026-11-21T12:00:00\.123000Z\tperson Ana Ruiz\taccount\.updated\taccount bad \[2J name\t/,
    );
    expect(JSON.parse(await audit('list', '--org', 'acme', '--search', 'subject 1', '--json'))).toMatchObject(
      [{ number: 1, subject: { name: 'Subject 1' } }],
    );
    expect(await audit('list')).toBe('');
  });

  it('refuses invalid options', async () => {
    await expect(audit('verify', '--org', 'nobody')).rejects.toThrow('There is no organisation nobody');
    await expect(audit('verify', '--kept', `1:${'0'.repeat(64)}`)).rejects.toThrow('--org');
    await expect(audit('verify', '--kept', 'x')).rejects.toThrow('number:hash');
    await expect(audit('list', '--limit', '0')).rejects.toThrow('at least 1');
  });
});
