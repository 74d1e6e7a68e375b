import { describe, expect, it } from 'vitest';
import { type TableUse, tableUses, unreadable } from './table-uses.ts';

const tables = new Set(['sims', 'sim_live', 'orders', 'cdrs']);
const path = 'apps/server/src/modules/sim/a.queries.ts';
const describeUse = ({ access, table, sets }: TableUse): string =>
  `${access} ${table}${sets ? `: ${sets.join(' ')}` : ''}`;
const usesOf = (text: string): string[] => tableUses({ path, text }, tables).map(describeUse);

describe('uses of tables', () => {
  it.each([
    ['`select 1 from sims`', ['read sims']],
    ['`select 1 from sims s join sim_live l using (id)`', ['read sims', 'read sim_live']],
    ['`select 1 from sims as s, sim_live l, cdrs`', ['read sims', 'read sim_live', 'read cdrs']],
    ['`insert into sims (id) select id from orders`', ['read orders', 'write sims']],
    ['`delete from sims using orders o where true`', ['read orders', 'write sims']],
    ['`truncate cdrs`', ['write cdrs']],
    ["db.selectFrom('sims as s').leftJoin('orders', 'a', 'b')", ['read sims', 'read orders']],
    ["db.selectFrom(['sims', 'cdrs as c'])", ['read sims', 'read cdrs']],
    ["db.insertInto('sims')", ['write sims']],
    [`db.updateTable('sims').set({ a: 1 })`, [`write sims: ${unreadable}`]],
    ["db.deleteFrom('cdrs')", ['write cdrs']],
    [`const to = ['sims']; \`insert into \${to} (id) values (1)\``, ['write sims']],
    ["copyRows(client, { table: 'cdrs' })", ['write cdrs']],
  ])('are found in %s', (text, uses) => {
    expect(usesOf(text)).toEqual(uses);
  });

  it.each([
    ['`update sims set a = 1`', 'a'],
    ['`update sims set a = 1, b = greatest(a, (select 1 from x)) where a = 1, b = 2`', 'a b'],
    [`\`update sims s set a = case when x then 1 else 2 end, b = \${f(1, 2)} from x returning c\``, 'a b'],
    ['`update only sims as s set a = v.a is distinct from v.b, b = 1 from v`', 'a b'],
    [`const more = \`b = 1, c = 2\`;\nconst text = \`update sims set a = 1, \${more} from v\``, 'a b c'],
    [`\`update sims set \${unknown} from v\``, unreadable],
    ['`update sims set (a, b) = (1, 2)`', unreadable],
  ])('include the columns that %s sets', (text, columns) => {
    expect(usesOf(text)).toEqual([`write sims: ${columns}`]);
  });

  it.each([
    '// select 1 from sims\n',
    '/** Rows come from sims. */',
    '`\n  -- what was taken from orders\n  select 1`',
    '`select 1 from other_sims s for update of s`',
    "const sims = ['sims'];",
  ])('are not found in %s', (text) => {
    expect(usesOf(text)).toEqual([]);
  });

  it('are attributed to the module of the file', () => {
    const moduleOf = (file: string) =>
      tableUses({ path: `apps/server/src/${file}`, text: '`select 1 from sims`' }, tables)[0]?.module;
    expect(['modules/sim/x/a.views.ts', 'platform/db/a.ts', 'main/demo/a.ts'].map(moduleOf)).toEqual([
      'sim',
      'platform',
      'main',
    ]);
  });
});
