import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTest, projectRoot, sourceFiles } from './source-tree.ts';
import { exceptions } from './table-exceptions.ts';
import { type OwnedTable, tables } from './table-owners.ts';
import { type TableUse, tableUses, unreadable } from './table-uses.ts';

const names = Object.keys(tables);
const owned: Readonly<Record<string, OwnedTable>> = tables;
const ownerOf = (table: string): string => owned[table]?.owner ?? '';

const sources = sourceFiles(
  (path) => /^apps\/server\/src\/(modules|platform|main)\/.*(?<!\.gen)\.ts$/.test(path) && !isTest(path),
);
const uses = sources.flatMap((file) => tableUses(file, new Set(names)));

/** Which module may import which, from .dependency-cruiser.cjs. */
const { forbidden } = createRequire(import.meta.url)(join(projectRoot, '.dependency-cruiser.cjs')) as {
  forbidden: { name: string; to: { pathNot?: string } }[];
};
const mayImport = (module: string, owner: string): boolean => {
  if (module === 'main' || owner === 'platform') return true;
  const rule = forbidden.find(({ name }) => name === `${module}-imports-lower-tiers-only`);
  return rule !== undefined && new RegExp(rule.to.pathNot ?? '^$').test(`apps/server/src/modules/${owner}/`);
};

const isException = ({ table, module, access, path }: TableUse): boolean =>
  exceptions.some(
    (one) =>
      one.table === table &&
      one.module === module &&
      one.access === access &&
      one.files.some((file) => path.endsWith(`/${module}/${file}`)),
  );

const groupOf = (table: string, column: string) =>
  owned[table]?.columns?.find((group) => group.names.includes(column));

/** The writers of a group update its columns; all other columns, and whole rows, are the owner's. */
const mayWrite = ({ table, module, sets }: TableUse): boolean => {
  const isOwner = module === ownerOf(table);
  if (!owned[table]?.columns || !sets) return isOwner;
  return sets.every((column) => {
    const writers: readonly string[] | undefined = groupOf(table, column)?.writers;
    return column !== unreadable && (writers ? writers.includes(module) : isOwner);
  });
};

const mayRead = ({ table, module }: TableUse): boolean => {
  const readers: readonly string[] = owned[table]?.readers ?? [];
  return module === ownerOf(table) || (readers.includes(module) && mayImport(module, ownerOf(table)));
};

const describeUse = ({ table, module, access, path, sets }: TableUse): string =>
  `${module} ${access}s ${table}${sets ? ` (${sets.join(', ')})` : ''} of ${ownerOf(table)}: ${path}`;
const describeUses = (found: readonly TableUse[]): string[] => [...new Set(found.map(describeUse))].sort();

describe('tables and views of the database', () => {
  it('have one owner each', () => {
    const schema = readFileSync(join(projectRoot, 'apps/server/src/platform/db/schema.gen.ts'), 'utf8');
    const [, inSchema = ''] = /export interface DB \{([\s\S]*?)\n\}/.exec(schema) ?? [];
    const migrations = sourceFiles((path) => /^apps\/server\/migrations\/.*\.sql$/.test(path));
    const views = migrations.flatMap(({ text }) => [
      ...text.matchAll(/\bcreate (?:or replace )?view (\w+)/g),
    ]);
    const dropped = migrations.flatMap(({ text }) =>
      [...text.matchAll(/\bdrop view (\w+)/g)].map(([, name]) => name),
    );
    const known = [...inSchema.matchAll(/^ {2}(\w+):/gm), ...views]
      .map(([, name]) => name)
      .filter((name) => !dropped.includes(name));
    expect(known.length).toBeGreaterThan(50);
    expect(new Set(names)).toEqual(new Set(known));
  });

  it('are written only by their owners and listed writers', () => {
    const writes = uses.filter(({ access }) => access === 'write');
    expect(new Set(writes.map(({ table }) => table)).size).toBeGreaterThan(45);
    expect(describeUses(writes.filter((use) => !mayWrite(use) && !isException(use)))).toEqual([]);
  });

  it('are read only by the readers that their owners name', () => {
    const reads = uses.filter(({ access }) => access === 'read');
    expect(reads.length).toBeGreaterThan(300);
    expect(describeUses(reads.filter((use) => !mayRead(use) && !isException(use)))).toEqual([]);
  });
});

describe('every permission of the table owners is used', () => {
  const isUsed = (wanted: Partial<TableUse>, column?: string): boolean =>
    uses.some(
      (use) =>
        Object.entries(wanted).every(([key, value]) => use[key as keyof TableUse] === value) &&
        (column === undefined || use.sets?.includes(column)),
    );

  it('by readers', () => {
    const listed = names.flatMap((table) =>
      (owned[table]?.readers ?? []).map((module) => ({ table, module })),
    );
    expect(listed.filter((one) => !isUsed({ ...one, access: 'read' }))).toEqual([]);
  });

  it('by writers of columns', () => {
    const groups = names.flatMap((table) =>
      (owned[table]?.columns ?? []).flatMap((group) =>
        group.names.flatMap((column) => group.writers.map((module) => ({ table, module, column }))),
      ),
    );
    const idle = groups.filter(({ column, ...one }) => !isUsed({ ...one, access: 'write' }, column));
    expect(idle).toEqual([]);
  });

  it('by exceptions, each with a reason', () => {
    const listed = exceptions.flatMap(({ files, ...one }) => files.map((file) => ({ ...one, file })));
    const idle = listed.filter(
      ({ table, module, access, file }) =>
        !uses.some(
          (use) =>
            use.table === table &&
            use.module === module &&
            use.access === access &&
            use.path.endsWith(`/${module}/${file}`) &&
            !(access === 'read' ? mayRead(use) : mayWrite(use)),
        ),
    );
    expect(idle).toEqual([]);
    for (const { why } of exceptions) expect(why).toMatch(/^[A-Z].{40,}[.]$/);
  });
});
