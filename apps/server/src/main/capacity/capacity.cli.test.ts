import { Command, CommanderError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { capacityCommand } from './capacity.cli.ts';

afterEach(() => vi.restoreAllMocks());

/** @returns what it prints, or the error that it ends with */
const run = (...args: string[]): string => {
  let output = '';
  vi.spyOn(console, 'info').mockImplementation((text: string) => {
    output += text;
  });
  const program = new Command('simcube');
  capacityCommand(program);
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({
      writeErr: (text) => {
        output += text;
      },
    });
  try {
    program.parse(['capacity', ...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return output;
};

describe('simcube capacity', () => {
  it('prints records, nodes and the size of each table', () => {
    const output = run('--sims', '1000000', '--interim', '3600');
    expect(output).toContain('Records     25 per SIM and day; 289 per second, 579 in the busiest hour');
    expect(output).toMatch(/^Nodes {7}\d+ \(\d+ for disk at 70%, 1 for processors\), without replicas$/m);
    expect(output).toMatch(/^cdrs +\d+ +CDR +13 months +[\d.]+ GB +[\d.]+ TB$/m);
    expect(output).toMatch(/^sims +\d+ +SIM +always +[\d.]+ GB$/m);
  });

  it('prints JSON with --json', () => {
    const capacity = JSON.parse(run('--sims', '10', '--interim', '300', '--sessions-per-day', '2', '--json'));
    expect(capacity.recordsPerDayOfSim).toEqual({ start: 2, interim: 286, stop: 2 });
  });

  it.each([
    [['--interim', '300'], "required option '--sims <n>' not specified"],
    [['--sims', '10'], "required option '--interim <seconds>' not specified"],
    [['--sims', '0', '--interim', '300'], "option '--sims <n>' argument '0' is invalid"],
    [['--sims', '1.5', '--interim', '300'], "option '--sims <n>' argument '1.5' is invalid"],
    [['--sims', 'many', '--interim', '300'], "option '--sims <n>' argument 'many' is invalid"],
    [['--sims', '1e99', '--interim', '300'], "option '--sims <n>' argument '1e99' is invalid"],
    [['--sims', '10', '--interim', '-5'], "option '--interim <seconds>' argument '-5' is invalid"],
    [['--sims', '10', '--interim', '86401'], "option '--interim <seconds>' argument '86401' is invalid"],
    [
      ['--sims', '10', '--interim', '300', '--sessions-per-day', '0'],
      "'--sessions-per-day <n>' argument '0' is invalid",
    ],
    [
      ['--sims', '10', '--interim', '300', '--node-cores', 'x'],
      "option '--node-cores <n>' argument 'x' is invalid",
    ],
    [['--sims', '10', '--interim', '300', 'more'], 'too many arguments'],
  ])('rejects invalid or missing options: %j', (args, error) => {
    expect(run(...args)).toContain(error);
  });
});
