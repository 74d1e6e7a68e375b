import { Readable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import type { OpenInstallation } from '../main/doctor/doctor.cli.ts';
import { readDisk } from '../main/doctor/installation.ts';
import { type CommandContext, createProgram } from '../main/program.ts';
import { sentenceOf } from '../platform/cli/index.ts';
import { connect } from '../platform/db/index.ts';
import { readEnv } from '../platform/env/index.ts';
import { keyRingOf } from '../platform/secrets/index.ts';
import type { TestApp } from './app.ts';

export interface CommandOutput {
  out: string;
  /** Standard error, as the program prints it. */
  errors: string;
  failed: boolean;
}

/** Every command with an action, by its name `area command`. */
const commandsIn = (program: Command, parentName = ''): { name: string; command: Command }[] =>
  program.commands.flatMap((command) => {
    const name = `${parentName}${command.name()}`;
    return command.commands.length > 0 ? commandsIn(command, `${name} `) : [{ name, command }];
  });

/**
 * The command line of an installation under test, run in this process. `readOnly`: the database rejects every
 * change.
 */
export const commandLine = (test: TestApp, dataDir: string) => {
  const env = readEnv({ SIMCUBE_ENV_FILE: '', SIMCUBE_DATA_DIR: dataDir });
  const ring = keyRingOf(Buffer.alloc(32, 7));
  const opener = (readOnly: boolean) => async (): Promise<CommandContext> => {
    const context = { ...test.wiring, env, clock: test.clock, vault: ring };
    if (!readOnly) return { ...context, pool: test.database.pool, close: async () => undefined };
    const { pool, close } = connect({
      url: test.database.url,
      max: 4,
      name: 'reader',
      onError: () => undefined,
    });
    // Queued before the first statement on the connection.
    pool.on('connect', (client) => void client.query('set default_transaction_read_only = on'));
    return { ...context, pool, close };
  };
  const installation: OpenInstallation = async () => {
    const { consumers } = test.wiring;
    const { pool } = test.database;
    return { env, pool, clock: test.clock, consumers, readDisk, close: async () => undefined };
  };
  return {
    ring,
    commands: commandsIn(createProgram(opener(false), installation)),

    async run(
      args: readonly string[],
      options: { stdin?: string; readOnly?: boolean } = {},
    ): Promise<CommandOutput> {
      const output: CommandOutput = { out: '', errors: '', failed: false };
      const program = createProgram(opener(options.readOnly ?? false), installation);
      for (const command of [program, ...allCommands(program)]) {
        command.exitOverride().configureOutput({
          writeOut: (text) => {
            output.out += text;
          },
          writeErr: (text) => {
            output.errors += text;
          },
        });
      }
      const spies = [
        vi.spyOn(console, 'info').mockImplementation((text: unknown) => {
          output.out += `${String(text)}\n`;
        }),
        vi.spyOn(console, 'warn').mockImplementation((text: unknown) => {
          output.errors += `${String(text)}\n`;
        }),
        // Files made by commands are written to the installation's directory, not the checkout.
        vi.spyOn(process, 'cwd').mockReturnValue(dataDir),
        vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdinOf(options.stdin ?? '')),
      ];
      const { exitCode } = process;
      try {
        await program.parseAsync(args, { from: 'user' });
      } catch (error) {
        output.failed = true;
        if (!(error instanceof CommanderError)) output.errors += `${sentenceOf(error)}\n`;
      } finally {
        for (const spy of spies) spy.mockRestore();
        process.exitCode = exitCode;
      }
      return output;
    },
  };
};

const allCommands = (program: Command): Command[] =>
  program.commands.flatMap((command) => [command, ...allCommands(command)]);

const stdinOf = (text: string) => Readable.from([text]) as unknown as typeof process.stdin;
