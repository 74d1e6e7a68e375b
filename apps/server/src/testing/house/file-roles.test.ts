import { expect, it } from 'vitest';
import { sourceFiles } from './source-tree.ts';

const modules = 'apps/server/src/modules/';
const isOf = (role: string) => (path: string) =>
  path.startsWith(modules) && path.endsWith(`.${role}.ts`) && !path.includes('.test.');

it('queries and views open no transactions, and record no facts, audit entries or jobs', () => {
  const files = [...sourceFiles(isOf('queries')), ...sourceFiles(isOf('views'))];
  expect(files.length).toBeGreaterThan(40);
  const acting = files.filter(({ text }) =>
    /\b(inTransaction|inSnapshot|emit|emitMany|recordAudit|enqueue)\(/.test(text),
  );
  expect(acting.map(({ path }) => path)).toEqual([]);
});
