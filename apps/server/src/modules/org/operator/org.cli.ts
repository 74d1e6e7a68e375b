import { readFile } from 'node:fs/promises';
import { limits } from '@simcube/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { jsonOption, printRows, using } from '../../../platform/cli/index.ts';
import type { RemovalOptions } from '../enterprise/enterprise-removal.service.ts';
import { listOrganisations } from '../tree/org.views.ts';
import { logoOf } from './logo.service.ts';
import { createOrgOperation, limitsOf } from './org-operator.service.ts';

export interface OrgsContext extends RemovalOptions {
  close: () => Promise<void>;
}

type Work = (context: OrgsContext & { operation: ReturnType<typeof createOrgOperation> }) => Promise<void>;

interface Commands {
  orgs: Command;
  /** Opens the database for one command. */
  run: (work: Work) => Promise<void>;
}

interface Output {
  json: boolean;
}

const maxListed = 1000;
/** `simcube orgs …`: the operator's organisations. */
export const orgCommands = (program: Command, open: () => Promise<OrgsContext>): void => {
  const orgs = program.command('orgs').description('Manage organisations');
  const run = (work: Work) =>
    using(open, (context) => work({ ...context, operation: createOrgOperation(context) }));
  for (const add of [addList, addShow, addCreate, addLimits, addRename, addLogo, addDelete])
    add({ orgs, run });
};

const addList = ({ orgs, run }: Commands): void => {
  orgs
    .command('list')
    .description(`List organisations by code, at most ${maxListed}`)
    .option('--search <text>', 'part of the code or name', '')
    .option(...jsonOption)
    .action((options: Output & { search: string }) =>
      run(async ({ pool }) => {
        const lines = await listOrganisations(pool, { search: options.search, limit: maxListed });
        printRows(lines, {
          json: options.json,
          line: ({ code, name, country, parent, members }) => [code, name, country, parent ?? '-', members],
        });
      }),
    );
};

const addShow = ({ orgs, run }: Commands): void => {
  orgs
    .command('show <code>')
    .description('Show an organisation with its limits, quota and security settings')
    .option(...jsonOption)
    .action((code: string, options: Output) =>
      run(async ({ operation }) => {
        const shown = await operation.show(code);
        if (options.json) return void console.info(JSON.stringify(shown));
        const { smsQuota, smsQuotaMessages, security, ...facts } = shown;
        const lines = {
          ...facts,
          seats: `${shown.seatsUsed} of ${shown.seats}`,
          subOrganisations: `${shown.subOrganisationsUsed} of ${shown.subOrganisations}`,
          smsQuota: `${smsQuota.kind} (${smsQuotaMessages ?? 'no limit'})`,
          twoFactorRequired: security.two_factor_required,
          sessionHours: `${security.session_idle_hours} idle, ${security.session_hours} at most`,
          allowedNetworks: security.allowed_networks.join(', ') || 'any',
        };
        for (const [name, value] of Object.entries(lines)) console.info(`${name}\t${value ?? '-'}`);
      }),
    );
};

interface CreateOptions extends Output {
  name: string;
  country: string;
  parent?: string;
  settlement: boolean;
  logo?: string;
  seats?: Limit;
  subOrganisations?: Limit;
}

const addCreate = ({ orgs, run }: Commands): void => {
  orgs
    .command('create <code>')
    .description('Create an organisation; without --parent it is an operator, at the top of the tree')
    .requiredOption('--name <name>', 'legally registered full name, 5-40 characters')
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2 code, such as DE')
    .option('--parent <code>', 'the parent organisation')
    .option(
      '--settlement',
      'make it a settlement customer: invoices are issued to its name, which can no longer be edited',
      false,
    )
    .option('--logo <file>', logoHelp)
    .option(...seatsOption)
    .option(...subOrganisationsOption)
    .option(...jsonOption)
    .action((code: string, options: CreateOptions) =>
      run(async ({ operation }) => {
        const { name, settlement, logo, seats, subOrganisations } = options;
        const created = await operation.create({
          code,
          name,
          country: options.country.toUpperCase(),
          parentCode: options.parent,
          settlement,
          logo: logo === undefined ? undefined : logoOf(await readFile(logo)),
          seats: limitOf(seats),
          subOrganisations: limitOf(subOrganisations),
        });
        console.info(
          options.json ? JSON.stringify(created) : `Created ${created.code} (tenant id ${created.tenantId})`,
        );
      }),
    );
};

const logoHelp = `PNG file of at most ${limits.organisationLogo} bytes, shown in the console and on bills`;

/** `usual`: the default when no limit was set. */
type Limit = number | 'usual';

const readLimit = (text: string): Limit => {
  if (text === 'usual') return text;
  const number = Number(text);
  if (!/^\d{1,7}$/.test(text))
    throw new InvalidArgumentError('Must be a whole number, 0 or more, or "usual".');
  return number;
};

const limitOf = (limit: Limit | undefined): number | null | undefined => (limit === 'usual' ? null : limit);

const seatsOption = [
  '--seats <number>',
  'maximum number of accounts and open invitations, or "usual"',
  readLimit,
] as const;
const subOrganisationsOption = [
  '--sub-organisations <number>',
  'maximum number of organisations directly below it, or "usual"',
  readLimit,
] as const;

const addLimits = ({ orgs, run }: Commands): void => {
  orgs
    .command('limits <code>')
    .description('Set the limits of an organisation; existing accounts and organisations stay')
    .option(...seatsOption)
    .option(...subOrganisationsOption)
    .option(...jsonOption)
    .action((code: string, options: Output & Pick<CreateOptions, 'seats' | 'subOrganisations'>) =>
      run(async ({ operation }) => {
        const org = await operation.setLimits(code, {
          seats: limitOf(options.seats),
          subOrganisations: limitOf(options.subOrganisations),
        });
        const now = limitsOf(org);
        console.info(
          options.json
            ? JSON.stringify({ code: org.code, ...now })
            : `${org.code}: ${now.seats} seats, ${now.subOrganisations} sub-organisations`,
        );
      }),
    );
};

const addRename = ({ orgs, run }: Commands): void => {
  orgs
    .command('rename <code> <name>')
    .description('Change the name of an organisation; its code stays')
    .option(...jsonOption)
    .action((code: string, name: string, options: Output) =>
      run(async ({ operation }) => {
        const org = await operation.rename(code, name);
        console.info(
          options.json ? JSON.stringify({ code: org.code, name: org.name }) : `${org.code} is ${org.name}`,
        );
      }),
    );
};

const addLogo = ({ orgs, run }: Commands): void => {
  orgs
    .command('logo <code> [file]')
    .description(`Set the logo of an organisation: a ${logoHelp}`)
    .option('--remove', 'show the logo of the product again', false)
    .option(...jsonOption)
    .action((code: string, file: string | undefined, options: Output & { remove: boolean }) =>
      run(async ({ operation }) => {
        if (options.remove === (file !== undefined)) throw new Error('Give a file, or --remove');
        const org = await operation.setLogo(code, file === undefined ? null : logoOf(await readFile(file)));
        const now = { code: org.code, logo: org.logo !== null };
        console.info(
          options.json ? JSON.stringify(now) : `${org.code} has ${now.logo ? 'a' : 'no'} logo of its own`,
        );
      }),
    );
};

const addDelete = ({ orgs, run }: Commands): void => {
  orgs
    .command('delete <code>')
    .description('Delete an organisation that has no SIMs, bundle orders, sub-organisations or running tasks')
    .option(...jsonOption)
    .action((code: string, options: Output) =>
      run(async ({ operation }) => {
        await operation.remove(code);
        console.info(options.json ? JSON.stringify({ deleted: code }) : `Deleted ${code}`);
      }),
    );
};
