import { poolSpecSchema } from '@simcube/contract/pool';
import type { Command } from 'commander';
import type { z } from 'zod';
import { type CliContext, issueSentences, jsonOption, using } from '../../platform/cli/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { operatorActor } from '../audit/index.ts';
import { PoolRefused } from './pool.rules.ts';
import { changeLimit, completeSpec, setPool } from './pool.service.ts';
import { listPoolLines } from './pool.views.ts';

interface Commands {
  pools: Command;
  open: () => Promise<CliContext>;
}

/** `simcube pools …`: shared pools, which the operator creates for organisations. */
export const poolCommands = (program: Command, open: () => Promise<CliContext>): void => {
  const pools = program.command('pools').description('Manage shared pools');
  for (const add of [addSet, addLimit, addList]) add({ pools, open });
};

const addSet = ({ pools, open }: Commands): void => {
  pools
    .command('set <organisation> <name>')
    .description(
      'Create a pool of an organisation, or change an existing one, whose omitted options keep their values',
    )
    .option('--bundle <code>', 'postpaid shared bundle of its SIMs, required for a new pool')
    .option('--policy <policy>', '"no limit" or "stop overage SIMs" (new pool: "stop overage SIMs")')
    .option('--opt-in <mode>', '"automatic" or "manual" (new pool: "manual")')
    .option('--activation-rule <rule>', '"standard" or "pro-rata" (new pool: "standard")')
    .option(...jsonOption)
    .action(
      async (
        organisation: string,
        name: string,
        { json: isJson, optIn: opt_in, activationRule: activation_rule, ...rest }: SetOptions,
      ) => {
        const request = validate(settableSchema, { organisation, name, opt_in, activation_rule, ...rest });
        await using(open, async ({ pool, clock }) => {
          const difference = await inTransaction(pool, async (tx) =>
            setPool(tx, await completeSpec(tx, request), { actor: operatorActor(), at: clock.now() }),
          );
          if (isJson) return void console.info(JSON.stringify(difference));
          const changes = Object.entries(difference.changed).map(
            ([field, { before, after }]) => `${field}: ${before} → ${after}`,
          );
          const words = difference.isNew ? 'created' : changes.join(', ') || 'unchanged';
          console.info(`${request.name}: ${words}`);
        });
      },
    );
};

interface SetOptions {
  bundle?: string;
  policy?: string;
  optIn?: string;
  activationRule?: string;
  json: boolean;
}

/** Omitted options of an existing pool keep their values. */
const settableSchema = poolSpecSchema.partial({
  bundle: true,
  policy: true,
  opt_in: true,
  activation_rule: true,
});

const poolNameOnly = poolSpecSchema.pick({ organisation: true, name: true });

/** @throws PoolRefused with the reason */
const validate = <S extends z.ZodType>(schema: S, request: object): z.output<S> => {
  const parsed = schema.safeParse(request, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new PoolRefused(`This is not a valid pool:\n${issueSentences(parsed.error).join('\n')}`);
};

const addLimit = ({ pools, open }: Commands): void => {
  pools
    .command('limit <organisation> <name> <bytes>')
    .description('Raise the limit of the running cycle by a number of bytes, or lower it (-- -1000)')
    .option('--every-cycle', 'in all later cycles, too', false)
    .option(...jsonOption)
    .action(
      async (
        organisation: string,
        name: string,
        text: string,
        options: { everyCycle: boolean; json: boolean },
      ) => {
        const named = validate(poolNameOnly, { organisation, name });
        const request = { ...named, bytes: bytesOf(text), everyCycle: options.everyCycle };
        await using(open, async ({ pool, clock }) => {
          const { before, after } = await inTransaction(pool, (tx) =>
            changeLimit(tx, request, { actor: operatorActor(), at: clock.now() }),
          );
          console.info(options.json ? JSON.stringify({ before, after }) : `${before} → ${after} bytes`);
        });
      },
    );
};

const bytesOf = (text: string): number => {
  const bytes = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(bytes) || bytes === 0) throw new PoolRefused(`Not a number of bytes: ${text}`);
  return bytes;
};

const addList = ({ pools, open }: Commands): void => {
  pools
    .command('list')
    .description('List pools with limit and usage of the running cycle, by organisation and name')
    .option(...jsonOption)
    .action(({ json: isJson }: { json: boolean }) =>
      using(open, async ({ pool, clock }) => {
        const lines = await listPoolLines(pool, clock.now());
        if (isJson) return void console.info(JSON.stringify(lines));
        for (const { organisation, name, bundle, policy, sims, used_bytes, limit_bytes } of lines) {
          const figures = `${used_bytes} of ${limit_bytes} bytes`;
          console.info([organisation, name, bundle, policy, `${sims} SIMs`, figures].join('\t'));
        }
      }),
    );
};
