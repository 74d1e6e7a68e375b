import type { AuditEntry } from '@simcube/contract/audit';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type pg from 'pg';
import {
  argumentParser,
  type CliContext,
  jsonOption,
  oneLine,
  using,
  wholeNumber,
} from '../../platform/cli/index.ts';
import { typed } from '../../platform/db/index.ts';
import { readPage } from '../../platform/lists/index.ts';
import { type NamedChain, type StoredHead, type Verdict, verifyChains } from './audit.verify.ts';
import { entryList, findOrganisation } from './audit.views.ts';

const maxListed = 1000;

/** `simcube audit …`: verifies and exports the audit trail. */
export const auditCommands = (program: Command, open: () => Promise<CliContext>): void => {
  const audit = program.command('audit').description('Verify and list the audit trail');

  audit
    .command('verify')
    .description('Verify the hash chains, and show the first faulty entry of each')
    .option('--org <code>', 'only the chain of this organisation (default: all)')
    .addOption(chainOption())
    .addOption(
      new Option(
        '--kept <number:hash>',
        'head of the chain, as stored elsewhere; requires --org or --chain',
      ).argParser(parseStoredHead),
    )
    .option(...jsonOption)
    .action(({ kept, json, ...selector }: ChainSelector & { kept?: StoredHead; json: boolean }) =>
      using(open, async ({ pool }) => {
        const only = await chainOf(pool, selector);
        if (kept && !only)
          throw new Error('--kept is the head of one chain: name the chain with --org or --chain');
        const verdicts = await verifyChains(pool, { org: only, storedHead: kept });
        // A chain without any entry may have been removed, or its number mistyped.
        if (
          selector.chain &&
          verdicts.every(({ head, entries, broken }) => !head && entries === 0 && !broken)
        )
          throw new Error(`There is no chain ${selector.chain}`);
        if (json) console.info(JSON.stringify(verdicts));
        else for (const verdict of verdicts) console.info(lineOf(verdict));
        if (verdicts.some(({ broken }) => broken)) process.exitCode = 1;
      }),
    );

  audit
    .command('list')
    .description('List entries, newest first')
    .option('--org <code>', 'entries of this organisation (default: of the installation itself)')
    .addOption(chainOption())
    .option('--search <text>', 'part of the name of the actor or the subject')
    .option('--limit <count>', 'maximum number of entries', argumentParser(wholeNumber(1, maxListed)), 50)
    .option(...jsonOption)
    .action((options: ChainSelector & { search?: string; limit: number; json: boolean }) =>
      using(open, async ({ pool, clock }) => {
        const orgId = (await chainOf(pool, options))?.id ?? 0;
        const { data: entries } = await readPage(typed(pool), entryList, {
          scope: { orgId },
          filter: { search: options.search?.trim() },
          page: { page_no: 1, page_size: options.limit },
          now: clock.now(),
        });
        if (options.json) return void console.info(JSON.stringify(entries));
        for (const entry of entries) console.info(formatEntry(entry));
      }),
    );
};

interface ChainSelector {
  org?: string;
  chain?: number;
}

/** The installation's chain and those of deleted organisations have no code. */
const chainOption = (): Option =>
  new Option(
    '--chain <number>',
    'instead of --org: 0 for the installation itself, or the number that verify shows for a deleted organisation',
  )
    .argParser(parseChain)
    .conflicts('org');

/** @throws Error for a code that no organisation has */
const chainOf = async (pool: pg.Pool, { org, chain }: ChainSelector): Promise<NamedChain | undefined> => {
  if (chain !== undefined) return { id: chain, code: null };
  if (org === undefined) return undefined;
  const found = await findOrganisation(pool, org);
  if (!found) throw new Error(`There is no organisation ${org}`);
  return found;
};

const reasons = {
  changed: 'was altered',
  missing: 'is missing',
  cut: 'and all after it are missing',
  beyond: 'is beyond the recorded end',
  rewritten: 'is not the one that was recorded',
} as const;

const lineOf = ({ org_id, code, entries, head, broken }: Verdict): string => {
  const chain = code ?? (org_id === 0 ? '(installation)' : `(organisation ${org_id}, deleted)`);
  const outcome = broken ? `BROKEN: entry ${broken.number} ${reasons[broken.why]}` : 'whole';
  return `${chain}\t${entries} entries\t${outcome}\thead ${head ? `${head.number}:${head.hash}` : '-'}`;
};

/** People typed the names: line breaks and escape sequences must not reach the operator's terminal. */
const formatEntry = ({ number, at, actor, action, subject, address }: AuditEntry): string =>
  [number, at, `${actor.kind} ${actor.name}`, action, `${subject.kind} ${subject.name}`, address ?? '-']
    .map((field) => oneLine(String(field)))
    .join('\t');

const parseStoredHead = (text: string): StoredHead => {
  const [, number, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (number === undefined || hash === undefined) throw new InvalidArgumentError('Expected number:hash.');
  return { number: Number(number), hash: hash.toLowerCase() };
};

const parseChain = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of a chain.');
  return Number(text);
};
