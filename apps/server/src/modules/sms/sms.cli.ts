import type { BindKind } from '@simcube/smpp';
import type { DefaultAlphabet } from '@simcube/smpp/text';
import type { Command } from 'commander';
import {
  argumentParser,
  type CliContext,
  definedOptions,
  jsonOption,
  readNewSecret,
  using,
} from '../../platform/cli/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { operatorActor } from '../audit/index.ts';
import { listConnections } from './connections/connections.queries.ts';
import {
  addConnection,
  connectionFields,
  removeConnection,
  settingsOf,
} from './connections/connections.service.ts';
import { addSmppOptions, type SmppOptions, smppSettingsOf } from './connections/smpp-settings.cli.ts';
import { changedSmppSettings } from './connections/smpp-settings.rules.ts';
import { countQueue } from './gateway/queue.queries.ts';
import { listIgnoredSenders } from './gateway/received.queries.ts';
import { listConnectionStates } from './gateway/status.service.ts';

export interface SmscContext extends CliContext {
  vault: Vault;
}

interface AddOptions extends SmppOptions {
  host?: string;
  port?: number;
  tls?: boolean;
  bind?: BindKind;
  systemId?: string;
  /** `false`: none. */
  sender?: string | false;
  priority?: number;
  window?: number;
  /** `false`: only limited by the window. */
  rate?: number | false;
  defaultAlphabet?: DefaultAlphabet;
  /** `false`: none. */
  password: boolean;
  passwordStdin: boolean;
  json: boolean;
}

/** `simcube smsc …`: the connections to SMSCs for sending and receiving messages. */
export const smsCommands = (program: Command, open: () => Promise<SmscContext>): void => {
  const smsc = program.command('smsc').description('Manage connections to SMSCs (SMPP 3.4)');
  addCommand(smsc, open);
  listCommand(smsc, open);
  statusCommand(smsc, open);

  smsc
    .command('remove <name>')
    .description('Remove a connection; waiting messages are sent over the others')
    .action((name: string) =>
      using(open, async ({ pool, clock }) => {
        if (!(await removeConnection({ pool, clock, actor: operatorActor() }, name)))
          throw new Error(`There is no connection ${name}`);
        console.info(`${name} removed`);
      }),
    );
};

const addCommand = (smsc: Command, open: () => Promise<SmscContext>): void => {
  const { host, port, bind, systemId, sender, priority, window, rate, defaultAlphabet } = connectionFields;
  const command = smsc
    .command('add')
    .argument('<name>', 'name chosen by the operator', argumentParser(connectionFields.name))
    .description(
      'Add a connection, or change an existing one, whose omitted options keep their values. A terminal asks for the password; nothing entered keeps that of an existing connection',
    )
    .option(
      '--host <host>',
      'host name or address of the SMSC; required for a new connection',
      argumentParser(host),
    )
    .option('--port <port>', 'port of the SMSC (new connection: 2775)', argumentParser(port))
    .option('--tls', 'use TLS, with a certificate that this machine trusts')
    .option('--no-tls', 'do not use TLS (new connection: no TLS)')
    .option(
      '--bind <kind>',
      'transceiver, transmitter or receiver (new connection: transceiver)',
      argumentParser(bind),
    )
    .option(
      '--system-id <id>',
      'system_id of the bind; required for a new connection',
      argumentParser(systemId),
    )
    .option('--sender <address>', 'sender address for organisations that have none', argumentParser(sender))
    .option('--no-sender', 'use the SMSC’s own sender')
    .option('--priority <number>', 'the lowest is used first (new connection: 0)', argumentParser(priority))
    .option(
      '--window <messages>',
      'maximum number of messages waiting for a response (new connection: 50)',
      argumentParser(window),
    )
    .option(
      '--rate <messages>',
      'maximum number of messages per second (new connection: no limit but the window)',
      argumentParser(rate),
    )
    .option('--no-rate', 'no limit but the window')
    .option(
      '--default-alphabet <alphabet>',
      'what data_coding 0 means at the SMSC: gsm7, latin1 or ascii (new connection: gsm7)',
      argumentParser(defaultAlphabet),
    );
  addSmppOptions(command)
    .option('--password-stdin', 'read the password from standard input', false)
    .option('--no-password', 'bind without a password; none is read')
    .option(...jsonOption)
    .action((name: string, options: AddOptions) =>
      using(open, async ({ pool, vault, clock }) => {
        const { host, port, tls, bind, systemId, sender, priority, window, rate } = options;
        const given = definedOptions({
          host,
          port,
          tls,
          bind,
          system_id: systemId,
          priority,
          sender: sender === false ? null : sender,
          window_size: window,
          rate_per_second: rate === false ? null : rate,
          default_alphabet: options.defaultAlphabet,
          ...smppSettingsOf(options),
        });
        const password = options.password
          ? await readNewSecret('Password', { isStdin: options.passwordStdin })
          : '';
        const added = await addConnection(
          { pool, vault, clock, actor: operatorActor() },
          { ...given, name },
          password,
        );
        if (options.json) return void console.info(JSON.stringify(settingsOf(added)));
        const keptOrSet = password === undefined ? 'unchanged' : password === '' ? 'none' : 'set';
        console.info(`${added.name}: ${added.host}:${added.port}, password ${keptOrSet}`);
      }),
    );
};

const listCommand = (smsc: Command, open: () => Promise<SmscContext>): void => {
  smsc
    .command('list')
    .description('List connections in the order in which they are used; passwords are never shown')
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const rows = await listConnections(pool);
        if (json) return void console.info(JSON.stringify(rows.map(settingsOf)));
        for (const row of rows) {
          const { name, host, port, bind, priority, window_size } = row;
          const columns = [name, `${host}:${port}`, bind, priority, window_size, changedSmppSettings(row)];
          console.info(columns.join('\t').trimEnd());
        }
      }),
    );
};

const statusCommand = (smsc: Command, open: () => Promise<SmscContext>): void => {
  smsc
    .command('status')
    .description(
      'Show the states of connections, waiting messages, and senders whose messages were not stored',
    )
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const [rows, queue, senders] = await Promise.all([
          listConnectionStates(pool),
          countQueue(pool),
          listIgnoredSenders(pool),
        ]);
        const connections = rows.map(({ name, state, state_at, state_error }) => ({
          name,
          state,
          since: state_at?.toISOString() ?? null,
          error: state_error,
        }));
        if (json)
          return void console.info(JSON.stringify({ connections, ...queue, unknown_senders: senders }));
        for (const { name, state, since, error } of connections)
          console.info([name, state, since ?? '', error ?? ''].join('\t').trimEnd());
        console.info(`${queue.waiting} parts wait, ${queue.underWay} are under way`);
        for (const { address, messages, last_at, not_receiving } of senders) {
          const sender = not_receiving
            ? `sender ${address} of ${not_receiving}, which may not receive`
            : `unknown sender ${address}`;
          console.info(`${sender}\t${messages}\t${last_at.toISOString()}`);
        }
      }),
    );
};
