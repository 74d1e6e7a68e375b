import { dateSchema } from '@simcube/contract';
import type { TariffVersionSpec } from '@simcube/contract/price';
import type { Command } from 'commander';
import { argumentParser, type CliContext, jsonOption, printRows, using } from '../../platform/cli/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { operatorActor } from '../audit/index.ts';
import { listTariffs, listVersions, listZones } from './price.queries.ts';
import { formatMicros } from './price.rules.ts';
import { bindTariff } from './tariffs/bindings.service.ts';

interface Output {
  json: boolean;
}

interface Commands {
  prices: Command;
  open: () => Promise<CliContext>;
}

const maxListed = 1000;
/** `simcube prices …`: zones, tariffs, and who has which; `simcube catalogue apply` creates them. */
export const priceCommands = (program: Command, open: () => Promise<CliContext>): void => {
  const prices = program.command('prices').description('Manage zones and tariffs');
  for (const add of [addList, addShow, addZones, addBind, addUnbind]) add({ prices, open });
};

const addList = ({ prices, open }: Commands): void => {
  prices
    .command('list')
    .description(`List tariffs by code with their versions and organisations, at most ${maxListed}`)
    .option(...jsonOption)
    .action((options: Output) =>
      using(open, async ({ pool }) => {
        const tariffs = (await listTariffs(pool, { limit: maxListed })).map(({ id: _, ...line }) => line);
        printRows(tariffs, {
          json: options.json,
          line: ({ code, name, currency, versions, organisations }) => {
            const bound = organisations.map((one) => `${one.code} (${one.starts_on})`).join(', ');
            return [code, name, currency, versions.join(', '), bound || '-'];
          },
        });
      }),
    );
};

const addShow = ({ prices, open }: Commands): void => {
  prices
    .command('show <tariff>')
    .description('Show all versions of a tariff with their prices')
    .option(...jsonOption)
    .action((code: string, options: Output) =>
      using(open, async ({ pool }) => {
        const [tariff] = await listTariffs(pool, { limit: 1, code });
        if (!tariff) throw new Error(`There is no tariff ${code}`);
        const versions = (await listVersions(pool, [tariff.id])).get(tariff.id) ?? [];
        const { id: _, versions: __, ...facts } = tariff;
        if (options.json) return void console.info(JSON.stringify({ ...facts, versions }));
        console.info(`${tariff.code}\t${tariff.name}\t${tariff.currency}`);
        for (const line of versions.flatMap(linesOf)) console.info(line);
      }),
    );
};

const linesOf = ({ starts_on, bundles, zones, sms, pool }: TariffVersionSpec): string[] => {
  const line = (...facts: string[]) => [starts_on, ...facts].join('\t');
  return [
    ...Object.entries(bundles).map(([code, { activation, cycle, over }]) =>
      line(
        `bundle ${code}`,
        `activation ${formatMicros(activation)}`,
        `cycle ${formatMicros(cycle)}`,
        `beyond the quota ${formatMicros(over)}`,
      ),
    ),
    ...Object.entries(zones).map(([code, price]) => line(`zone ${code}`, `MB ${formatMicros(price)}`)),
    line('SMS', `MT ${formatMicros(sms.mt)}`, `MO ${formatMicros(sms.mo)}`),
    line('pool', `cycle ${formatMicros(pool.cycle)}`, `MB beyond the limit ${formatMicros(pool.over)}`),
  ];
};

const addZones = ({ prices, open }: Commands): void => {
  prices
    .command('zones')
    .description('List zones by code with their countries')
    .option(...jsonOption)
    .action((options: Output) =>
      using(open, async ({ pool }) => {
        const zones = (await listZones(pool)).map(({ id: _, ...zone }) => zone);
        printRows(zones, {
          json: options.json,
          line: ({ code, name, countries }) => [
            code,
            name,
            countries === 'rest' ? 'the rest of the world' : countries.join(' '),
          ],
        });
      }),
    );
};

const fromDay = [
  '--from <day>',
  'first day, YYYY-MM-DD, a business day (default: today without prices, else tomorrow)',
  argumentParser(dateSchema),
] as const;

const addBind = ({ prices, open }: Commands): void => {
  prices
    .command('bind <tariff> <organisation>')
    .description('Set the tariff of an organisation, and of those below it, from a day on')
    .option(...fromDay)
    .option(...jsonOption)
    .action((tariff: string, organisation: string, options: Output & { from?: string }) =>
      bind(open, { tariff, organisation, ...options }),
    );
};

const addUnbind = ({ prices, open }: Commands): void => {
  prices
    .command('unbind <organisation>')
    .description('End the tariff of an organisation from a day on: it then has that of its parent')
    .option(...fromDay)
    .option(...jsonOption)
    .action((organisation: string, options: Output & { from?: string }) =>
      bind(open, { tariff: null, organisation, ...options }),
    );
};

const bind = (
  open: Commands['open'],
  order: Output & { tariff: string | null; organisation: string; from?: string },
): Promise<void> =>
  using(open, async ({ pool, clock }) => {
    const by = { actor: operatorActor(), at: clock.now() };
    const { startsOn, changed } = await inTransaction(pool, (tx) => bindTariff(tx, order, by));
    const { organisation, tariff } = order;
    if (order.json)
      return void console.info(JSON.stringify({ organisation, tariff, changed, starts_on: startsOn }));
    const has = tariff === null ? 'the tariff of its parent' : `tariff ${tariff}`;
    console.info(`${organisation} has ${has} from ${startsOn} on${changed ? '' : ' already'}`);
  });
