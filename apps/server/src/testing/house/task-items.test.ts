import { expect, it } from 'vitest';
import { isTest, linesThat, sourceFiles } from './source-tree.ts';

/** A task works on items of a kind, which the module that owns the things declares. */
const ofTasks = sourceFiles(
  (path) =>
    /^(apps\/(server\/src\/modules|web\/src\/features)|packages\/contract\/src)\/task\/.*\.tsx?$/.test(
      path,
    ) || path === 'packages/phrases/src/en-US/task.ts',
).filter(({ path }) => !isTest(path));

/** Words, columns and identifiers. */
const ofSims =
  /\b(sim|Sim|SIM)s?(\b|_)|\bsims?[A-Z]|\bSims?(?!Cube)[A-Z]|[a-z]Sims?\b|_sims?\b|iccid|imsi|msisdn|ICCID|IMSI|MSISDN/;

/** Types of tasks, and their texts, list the work of all modules. */
const isType = (line: string): boolean => /^\s*'[a-z]+(-[a-z]+)+'(,|: '.*',)$/.test(line);

it('the source files of tasks are found', () => {
  expect(ofTasks.length).toBeGreaterThan(30);
});

it.each(['where i.sim_id = $1', 'join sims s on', 'const simIds = 1', 'onSims()', 'of the SIMs', 'ICCID'])(
  '“%s” refers to SIMs',
  (line) => expect(line).toMatch(ofSims),
);

it.each(['@simcube/contract', 'similar, simple', '`simcube tasks`', 'SimCube'])('“%s” does not', (line) =>
  expect(line).not.toMatch(ofSims),
);

it('the task module does not refer to SIMs', () => {
  expect(linesThat(ofTasks, (line) => ofSims.test(line) && !isType(line))).toEqual([]);
});
