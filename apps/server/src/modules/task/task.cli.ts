import { taskStatuses } from '@simcube/contract/task';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Actor } from '../../platform/access/index.ts';
import { type CliContext, jsonOption, using } from '../../platform/cli/index.ts';
import { typed } from '../../platform/db/index.ts';
import { readPage } from '../../platform/lists/index.ts';
import { operatorActor } from '../audit/index.ts';
import { getOrganisation } from '../org/index.ts';
import { idOfReference, referenceOf } from './task.rules.ts';
import { itemList, listTasks, type TaskLine } from './task.views.ts';

export interface TasksContext extends CliContext {
  task: {
    cancel: (taskId: number) => Promise<void>;
    undo: (taskId: number, by: { actor: Actor }) => Promise<{ reference_id: string; quantity: number }>;
  };
}

const listedAtMost = 1000;

const referenceArgument = (text: string): number => {
  const id = idOfReference(text);
  if (id === undefined) throw new InvalidArgumentError('A reference looks like T00000042.');
  return id;
};

/** `simcube tasks …`: the background work of all people. */
export const taskCommands = (program: Command, open: () => Promise<TasksContext>): void => {
  const tasks = program.command('tasks').description('Manage the background tasks of people');

  tasks
    .command('list')
    .description(`List tasks, newest first, at most ${listedAtMost}`)
    .addOption(new Option('--status <status>').choices(taskStatuses))
    .option('--org <code>', 'only tasks of this organisation')
    .option(...jsonOption)
    .action(({ status, org, json }: { status?: string; org?: string; json: boolean }) =>
      using(open, async ({ pool }) => {
        const orgId = org === undefined ? undefined : (await getOrganisation(pool, org)).id;
        const lines = await listTasks(pool, { status, orgId, limit: listedAtMost });
        if (json) return void console.info(JSON.stringify(lines));
        for (const line of lines) console.info(textOf(line));
      }),
    );

  tasks
    .command('show')
    .argument('<reference>', 'such as T00000042', referenceArgument)
    .description(`Show the progress of a task, and its refused items with reasons, at most ${listedAtMost}`)
    .option(...jsonOption)
    .action((taskId: number, { json }: { json: boolean }) =>
      using(open, async ({ pool, clock }) => {
        const [line] = await listTasks(pool, { id: taskId, limit: 1 });
        if (!line) throw new Error(`There is no task ${referenceOf(taskId)}`);
        const { data: items } = await readPage(typed(pool), itemList, {
          scope: { taskId },
          filter: { state: 'refused' },
          page: { page_no: 1, page_size: listedAtMost },
          now: clock.now(),
        });
        if (json) return void console.info(JSON.stringify({ ...line, refused: items }));
        console.info(textOf(line));
        for (const { label, code } of items) console.info(`${label}\t${code ?? ''}`);
      }),
    );

  tasks
    .command('cancel')
    .argument('<reference>', 'such as T00000042', referenceArgument)
    .description('Cancel a task: completed items stay, pending items are refused')
    .action((taskId: number) =>
      using(open, async ({ task }) => {
        await task.cancel(taskId);
        console.info(`${referenceOf(taskId)} cancelled`);
      }),
    );

  tasks
    .command('undo')
    .argument('<reference>', 'such as T00000042', referenceArgument)
    .description('Undo what a task changed, with a new task of the same person; later changes are kept')
    .option(...jsonOption)
    .action((taskId: number, { json }: { json: boolean }) =>
      using(open, async ({ task }) => {
        const started = await task.undo(taskId, { actor: { ...operatorActor(), action: 'task.undone' } });
        const { reference_id: reference, quantity } = started;
        console.info(json ? JSON.stringify(started) : `${reference}\t${quantity} items`);
      }),
    );
};

const textOf = ({ reference, organisation, email, type, status, done, quantity }: TaskLine): string =>
  [reference, organisation, email, type, status, `${done}/${quantity}`].join('\t');
