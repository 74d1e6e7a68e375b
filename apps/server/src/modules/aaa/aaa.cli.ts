import type { Command } from 'commander';
import type pg from 'pg';
import {
  argumentParser,
  definedOptions,
  jsonOption,
  readNewSecret,
  using,
} from '../../platform/cli/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { operatorActor } from '../audit/index.ts';
import { listGateways } from './aaa.queries.ts';
import { defaultInterimSeconds, minInterimSeconds } from './gateways/clients.ts';
import {
  addGateway,
  type GatewaySettings,
  gatewayFields,
  removeGateway,
} from './gateways/gateways.service.ts';
import { rateAttributes } from './gateways/rate-attributes.ts';
import { listRefusedPackets } from './refused/refused-packets.queries.ts';
import { listUnknownSims } from './unknown/unknown-sims.queries.ts';

export interface GatewaysContext {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  close: () => Promise<void>;
}

interface AddOptions {
  network?: string;
  /** `false` sends Disconnect and CoA to the source address of the gateway's packets. */
  coaHost?: string | false;
  coaPort?: number;
  rateAttribute?: GatewaySettings['rateAttribute'];
  interim?: number;
  messageAuthenticator?: boolean;
  secretStdin: boolean;
  json: boolean;
}

/** `simcube gateways …`: the network elements that may speak RADIUS to us. */
export const aaaCommands = (program: Command, open: () => Promise<GatewaysContext>): void => {
  const gateways = program
    .command('gateways')
    .description('Manage RADIUS clients: packet gateways and proxies');

  gateways
    .command('add')
    .argument('<name>', 'name chosen by the operator', argumentParser(gatewayFields.name))
    .description(
      'Add a gateway, or change an existing one, whose omitted options keep their values. A terminal asks for the shared secret; nothing entered keeps that of an existing gateway',
    )
    .option(
      '--network <cidr>',
      'source address or network of its packets; required for a new gateway',
      argumentParser(gatewayFields.network),
    )
    .option(
      '--coa-host <address>',
      'where Disconnect and CoA are sent (new gateway: the source of its packets)',
      argumentParser(gatewayFields.coaHost),
    )
    .option('--no-coa-host', 'send them to the source of its packets')
    .option(
      '--coa-port <port>',
      'port for Disconnect and CoA (new gateway: 3799)',
      argumentParser(gatewayFields.coaPort),
    )
    .option(
      '--rate-attribute <name>',
      `one of ${rateAttributes.join(', ')} (new gateway: ${rateAttributes[0]})`,
      argumentParser(gatewayFields.rateAttribute),
    )
    .option(
      '--interim <seconds>',
      `interval of interim updates, at least ${minInterimSeconds} (new gateway: ${defaultInterimSeconds})`,
      argumentParser(gatewayFields.interimSeconds),
    )
    .option(
      '--message-authenticator',
      'refuse Access-Requests without Message-Authenticator (new gateway: refuse)',
    )
    .option('--no-message-authenticator', 'accept them')
    .option('--secret-stdin', 'read the shared secret from standard input', false)
    .option(...jsonOption)
    .action((name: string, options: AddOptions) =>
      using(open, async ({ pool, vault, clock }) => {
        const { network, coaHost, coaPort, rateAttribute, interim, messageAuthenticator } = options;
        const settings = definedOptions({
          network,
          coaPort,
          rateAttribute,
          interimSeconds: interim,
          coaHost: coaHost === false ? null : coaHost,
          requireMessageAuthenticator: messageAuthenticator,
        });
        const { before, after, hasNewSecret } = await addGateway(
          { pool, vault, by: { actor: operatorActor(), clock } },
          { ...settings, name },
          await readNewSecret('Shared secret (nothing keeps that of an existing gateway)', {
            isStdin: options.secretStdin,
          }),
        );
        const { sealed_secret: _, ...added } = after;
        if (options.json)
          return void console.info(JSON.stringify({ ...added, secret_changed: hasNewSecret }));
        const keptOrSet = before && !hasNewSecret ? 'unchanged' : 'set';
        console.info(`${added.name}: ${added.network}, shared secret ${keptOrSet}`);
      }),
    );

  gateways
    .command('list')
    .description('List gateways; secrets are never shown')
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const rows = (await listGateways(pool)).map(({ sealed_secret: _, ...row }) => row);
        if (json) return void console.info(JSON.stringify(rows));
        for (const row of rows)
          console.info(`${row.name}\t${row.network}\t${row.coa_host ?? 'source'}:${row.coa_port}`);
      }),
    );

  gateways
    .command('heard')
    .description('List refused packets by source address and reason, latest first')
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const rows = await listRefusedPackets(pool);
        if (json) return void console.info(JSON.stringify(rows));
        for (const { address, reason, packets, firstAt, lastAt } of rows)
          console.info(
            `${address}\t${reason}\t${packets}\t${firstAt.toISOString()}\t${lastAt.toISOString()}`,
          );
      }),
    );

  gateways
    .command('unknown')
    .description('List identities that belong to no SIM, by gateway and reason, latest first')
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const rows = await listUnknownSims(pool);
        if (json) return void console.info(JSON.stringify(rows));
        for (const { identity, gateway, reason, packets, firstAt, lastAt } of rows)
          console.info(
            `${identity || '-'}\t${gateway}\t${reason}\t${packets}\t${firstAt.toISOString()}\t${lastAt.toISOString()}`,
          );
      }),
    );

  gateways
    .command('remove <name>')
    .description('Remove a gateway; its packets are no longer answered')
    .action((name: string) =>
      using(open, async ({ pool, clock }) => {
        if (!(await removeGateway({ pool, by: { actor: operatorActor(), clock } }, name)))
          throw new Error(`There is no gateway ${name}`);
        console.info(`${name} removed`);
      }),
    );
};
