import { readFile } from 'node:fs/promises';
import { checkOrder } from '@simcube/contract';
import type { AuditAction } from '@simcube/contract/audit';
import {
  deviceNameSchema,
  notesSchema,
  type OperationResponse,
  type SimSelection,
  simFilterSchema,
  tagChangesSchema,
} from '@simcube/contract/sim';
import { type Command, Option } from 'commander';
import type pg from 'pg';
import { jsonOption, readStrictJson } from '../../../platform/cli/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { operatorActor } from '../../audit/index.ts';
import { findDefaultMembership } from '../../task/index.ts';
import type { Orderer, Ordering, SimOrder } from '../ordering/ordering.service.ts';
import type { Transfer, Transferrer } from '../transfer/transfer.service.ts';
import { iccidLines } from './iccid-lines.rules.ts';
import {
  deviceNameOrder,
  notesOrder,
  resetOrder,
  suspendOrder,
  tagsOrder,
  terminateOrder,
} from './orders.ts';
import { resumeOrder } from './resume.order.ts';

/** An operation of a higher module on selected SIMs. */
export type Operate = (
  orderer: Orderer,
  selection: SimSelection,
  preview: boolean,
) => Promise<OperationResponse>;

export interface OperateContext {
  pool: pg.Pool;
  clock: Clock;
  sim: { ordering: Ordering; transfer: Transfer };
  bundle: { activate: Operate };
  sms: { suspendMt: Operate; resumeMt: Operate };
}

interface Options {
  for: string;
  iccids?: string;
  filter?: string;
  all: boolean;
  preview: boolean;
  yes: boolean;
  json: boolean;
  value?: string;
  clear?: boolean;
  add?: string[];
  remove?: string[];
  to?: string;
}

const actions = {
  activate: 'sims.activation-ordered',
  suspend: 'sims.suspension-ordered',
  resume: 'sims.resumption-ordered',
  terminate: 'sims.termination-ordered',
  reset: 'sims.reset-ordered',
  'device-name': 'sims.update-ordered',
  notes: 'sims.update-ordered',
  tags: 'sims.update-ordered',
  transfer: 'sims.transfer-ordered',
  'sms-suspend': 'sims.sms-suspension-ordered',
  'sms-resume': 'sims.sms-resumption-ordered',
} as const satisfies Record<string, AuditAction>;
type OperationName = keyof typeof actions;

/** Operations that a person can't take back: without confirmation, only a preview is shown. */
const confirmed: ReadonlySet<string> = new Set<OperationName>(['activate', 'terminate', 'transfer']);

const specificOptions = ['value', 'clear', 'add', 'remove', 'to'] as const;
/** The options that only some operations have, by operation. */
const optionsByOperation: Partial<Record<OperationName, readonly (typeof specificOptions)[number][]>> = {
  'device-name': ['value', 'clear'],
  notes: ['value', 'clear'],
  tags: ['add', 'remove'],
  transfer: ['to'],
};

/** An option that the operation does not have must not be ignored silently. */
const rejectForeignOptions = (name: OperationName, options: Options): void => {
  const own = optionsByOperation[name] ?? [];
  const other = specificOptions.find((option) => options[option] !== undefined && !own.includes(option));
  if (other) throw new Error(`--${other} is not an option of ${name}`);
  if (name === 'tags' && !options.add && !options.remove)
    throw new Error('Name the tags with --add or --remove');
  if (own.includes('value') && options.value === undefined && !options.clear)
    throw new Error(`Give the ${name} with --value, or clear it with --clear`);
};

const isOperation = (name: string): name is OperationName => Object.hasOwn(actions, name);

/** `simcube sims operate …`: the console's operations, ordered on behalf of a person, who sees them as a task. */
export const operateCommand = (
  sims: Command,
  withContext: (work: (context: OperateContext) => Promise<void>) => Promise<void>,
): void => {
  sims
    .command('operate <operation>')
    .description(`Run an operation on many SIMs, on a server's worker: ${Object.keys(actions).join(', ')}`)
    .requiredOption(
      '--for <email>',
      'person who sees the task in the task centre; the SIMs are those of their default organisation',
    )
    .addOption(
      new Option(
        '--iccids <file>',
        'file with one ICCID per line, or in the first column of a CSV',
      ).conflicts(['filter', 'all']),
    )
    .addOption(
      new Option('--filter <json>', 'filter of the SIM list, such as {"tags":["meter"]}').conflicts('all'),
    )
    .option('--all', 'all SIMs of the organisation', false)
    .option('--preview', 'only show what would be done', false)
    .option('--yes', `${[...confirmed].join(', ')}: do it; without it, only a preview is shown`, false)
    .addOption(new Option('--value <text>', 'device-name, notes: new value').conflicts('clear'))
    .option('--clear', 'device-name, notes: clear the field')
    .option('--add <tag...>', 'tags: tags to add')
    .option('--remove <tag...>', 'tags: tags to remove')
    .option('--to <code>', 'transfer: organisation that receives the SIMs')
    .option(...jsonOption)
    .action((name: string, options: Options) =>
      withContext(async (context) => {
        if (!isOperation(name)) throw new Error(`There is no operation ${name}`);
        rejectForeignOptions(name, options);
        const selection = await selectionOf(options);
        const orderer = await ordererFor(context.pool, options.for, actions[name]);
        const isUnconfirmed = confirmed.has(name) && !options.yes;
        const preview = options.preview || isUnconfirmed;
        const result = await operate(context, name, { orderer, selection, options: { ...options, preview } });
        print(result, options.json);
        if (isUnconfirmed && !options.preview)
          throw new Error(`Nothing was done: add --yes to ${name} these SIMs`);
      }),
    );
};

const operate = async (
  { sim, bundle, sms, clock }: OperateContext,
  name: OperationName,
  { orderer, selection, options }: { orderer: Transferrer; selection: SimSelection; options: Options },
): Promise<OperationResponse> => {
  const { preview } = options;
  const submit = <P, M>(order: SimOrder<P, M>) => sim.ordering.previewOrAccept(orderer, order, { preview });
  switch (name) {
    case 'activate':
      return bundle.activate(orderer, selection, preview);
    case 'sms-suspend':
      return sms.suspendMt(orderer, selection, preview);
    case 'sms-resume':
      return sms.resumeMt(orderer, selection, preview);
    case 'suspend':
      return submit(suspendOrder(selection));
    case 'resume':
      return submit(resumeOrder(selection, clock.now()));
    case 'terminate':
      return submit(terminateOrder(selection));
    case 'reset':
      return submit(resetOrder(selection));
    case 'device-name':
      return submit(deviceNameOrder(selection, deviceNameSchema.parse(options.value ?? '')));
    case 'notes':
      return submit(notesOrder(selection, notesSchema.parse(options.value ?? '')));
    case 'tags': {
      const { add, remove } = options;
      return submit(tagsOrder(selection, tagChangesSchema.parse({ add, remove })));
    }
    case 'transfer': {
      if (options.to === undefined) throw new Error('Name the organisation that receives the SIMs with --to');
      return submit(await sim.transfer.order(orderer, { targetCode: options.to, selection }));
    }
  }
};

const selectionOf = async ({ iccids, filter, all }: Options): Promise<SimSelection> => {
  if (all) return { filter: simFilterSchema.parse({}) };
  if (filter !== undefined) {
    const parsed = simFilterSchema.superRefine(checkOrder).parse(readStrictJson(filter, '--filter'));
    if (Object.values(parsed).every(isUnrestricted))
      throw new Error(
        'The filter selects every SIM of the organisation: if that is meant, use --all instead',
      );
    return { filter: parsed };
  }
  if (iccids === undefined) throw new Error('Name the SIMs with --iccids, --filter or --all');
  return { iccids: iccidLines(await readFile(iccids, 'utf8')) };
};

const isUnrestricted = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const ordererFor = async (pool: pg.Pool, email: string, action: AuditAction): Promise<Transferrer> => {
  const owner = await findDefaultMembership(pool, email);
  if (!owner) throw new Error(`No person with the email address ${email} belongs to an organisation`);
  return {
    org: { id: owner.orgId, code: owner.orgCode },
    userId: owner.userId,
    actor: { ...operatorActor(), action },
    language: 'en-US',
    sessionBeganAt: null,
  };
};

const print = (result: OperationResponse, json: boolean): void => {
  if (json) return void console.info(JSON.stringify(result));
  const { task, preview } = result;
  if (task) console.info(`${task.reference_id}\t${task.quantity} SIMs`);
  if (!preview) return;
  console.info(`${preview.selected} SIMs, ${preview.changing} would be changed`);
  for (const { count, code, message, iccids } of preview.refused) {
    console.info(`${count}\t${code}\t${message}\t${iccids.join(' ')}`);
  }
};
