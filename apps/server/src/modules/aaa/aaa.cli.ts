import type { Command } from 'commander';
import type pg from 'pg';
import { z } from 'zod';
import type { Vault } from '../../platform/secrets/index.ts';
import { deleteGateway, listGateways, saveGateway } from './aaa.queries.ts';
import { rateAttributes } from './access/rate-attributes.ts';
import { readSecret } from './secret.prompt.ts';

export interface GatewaysContext {
  pool: pg.Pool;
  vault: Vault;
  close: () => Promise<void>;
}

/** RFC 2865, 3: at least 16 octets are advised; below 6 it is surely a mistake. Above 128 no gateway takes it. */
const secretSchema = z.string().min(6).max(128);

const gatewaySchema = z.object({
  name: z.string().trim().min(1).max(60),
  network: z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]),
  coaHost: z.union([z.ipv4(), z.ipv6()]).nullable(),
  coaPort: z.coerce.number().int().min(1).max(65_535),
  rateAttribute: z.enum(rateAttributes),
  interimSeconds: z.coerce.number().int().min(5).max(86_400),
  requireMessageAuthenticator: z.boolean(),
});
type GatewayInput = z.output<typeof gatewaySchema>;

interface AddOptions {
  network: string;
  coaHost?: string;
  coaPort: string;
  rateAttribute: string;
  interim: string;
  messageAuthenticator: boolean;
  json: boolean;
}

/**
 * Makes a gateway known, or changes the one of that name; servers that run hear of it at once.
 * @throws z.ZodError when a setting is not usable
 */
export const addGateway = async (
  { pool, vault }: Pick<GatewaysContext, 'pool' | 'vault'>,
  gateway: z.input<typeof gatewaySchema>,
  secret: string,
): Promise<GatewayInput & { id: number }> => {
  const parsed = gatewaySchema.parse(gateway);
  const id = await saveGateway(pool, { ...parsed, sealedSecret: vault.seal(secretSchema.parse(secret)) });
  return { ...parsed, id };
};

/** `simcube gateways …`: the network elements that may speak RADIUS to us. */
export const gatewayCommands = (program: Command, open: () => Promise<GatewaysContext>): void => {
  const gateways = program.command('gateways').description('Packet gateways and proxies that speak RADIUS');
  const withContext = async (work: (context: GatewaysContext) => Promise<void>) => {
    const context = await open();
    try {
      await work(context);
    } finally {
      await context.close();
    }
  };

  gateways
    .command('add <name>')
    .description('Adds a gateway or changes it; its secret is read from standard input')
    .requiredOption('--network <cidr>', 'address or network that its packets come from')
    .option('--coa-host <address>', 'where Disconnect and CoA go (default: the source of its packets)')
    .option('--coa-port <port>', 'port of Disconnect and CoA', '3799')
    .option('--rate-attribute <name>', `one of ${rateAttributes.join(', ')}`, rateAttributes[0])
    .option('--interim <seconds>', 'interval of interim updates', '300')
    .option('--no-message-authenticator', 'take Access-Requests without Message-Authenticator')
    .option('--json', 'machine-readable output', false)
    .action((name: string, options: AddOptions) =>
      withContext(async (context) => {
        const added = await addGateway(
          context,
          {
            name,
            network: options.network,
            coaHost: options.coaHost ?? null,
            coaPort: options.coaPort,
            rateAttribute: options.rateAttribute as GatewayInput['rateAttribute'],
            interimSeconds: options.interim,
            requireMessageAuthenticator: options.messageAuthenticator,
          },
          await readSecret(),
        );
        console.info(options.json ? JSON.stringify(added) : `${added.name}: ${added.network}`);
      }),
    );

  gateways
    .command('list')
    .description('All gateways; secrets are never shown')
    .option('--json', 'machine-readable output', false)
    .action(({ json }: { json: boolean }) =>
      withContext(async ({ pool }) => {
        const rows = (await listGateways(pool)).map(({ sealed_secret: _, ...row }) => row);
        if (json) console.info(JSON.stringify(rows));
        else
          for (const row of rows)
            console.info(`${row.name}\t${row.network}\t${row.coa_host ?? 'source'}:${row.coa_port}`);
      }),
    );

  gateways
    .command('remove <name>')
    .description('Its packets are no longer answered')
    .action((name: string) =>
      withContext(async ({ pool }) => {
        if (!(await deleteGateway(pool, name))) throw new Error(`There is no gateway ${name}`);
        console.info(`${name} removed`);
      }),
    );
};
