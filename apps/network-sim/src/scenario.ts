import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { deviceKindNames } from './device-kinds.ts';

const share = z.number().min(0).max(1);
const wallSeconds = z.number().positive().max(86_400);

/** At a time of the run (wall seconds), and again every so often. */
const timing = { atSeconds: z.number().min(0).max(86_400), everySeconds: wallSeconds.optional() };

const event = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('restart'),
    ...timing,
    downSeconds: wallSeconds,
    /** With Accounting-Off before it goes; without, as a crash. The sessions' Stops are lost either way. */
    announced: z.boolean(),
  }),
  z.strictObject({
    do: z.literal('roam'),
    ...timing,
    /** Of the active devices: so many are found in another country at their next update. */
    share,
  }),
]);

export type ScenarioEvent = z.infer<typeof event>;

export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(40),
  description: z.string().max(400),
  nasIdentifier: z.string().min(1).max(63),
  nasIpAddress: z.string().refine(isIPv4, 'not an IPv4 address'),
  /** Made up when no device file is given. */
  demoDevices: z.number().int().min(1).max(1_000_000),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32),
  /** Device time for wall time. */
  speed: z.number().positive().max(3_600),
  maxActive: z.number().int().min(1).max(200_000),
  /** Over all that the gateway sends of itself; what is late is sent later. */
  maxPacketsPerSecond: z.number().positive().max(100_000),
  /** Wall seconds between updates, whatever the server asks for: keeps a demonstration alive. */
  interimSeconds: z
    .strictObject({ least: wallSeconds, most: wallSeconds })
    .refine(({ least, most }) => least <= most, 'least is more than most')
    .optional(),
  /** How much more often than usual devices change operator and country. */
  roaming: z.number().min(0).max(20),
  /** At each start of a session. */
  imeiChangeChance: share,
  /** Share of session ends that are never reported. */
  lostStopShare: share,
  /** Of the kinds' volumes; 1 when a kind is not named. */
  volume: z.partialRecord(z.enum(deviceKindNames), z.number().min(0).max(1_000)),
  /** Wall seconds before a refused device tries again: doubled each time, spread by a half. */
  rejectBackoffSeconds: z.strictObject({ first: wallSeconds, most: wallSeconds }),
  /** First retransmission of an unanswered packet. */
  retransmitMs: z.number().int().min(10).max(60_000),
  statsEverySeconds: wallSeconds,
  events: z.array(event).max(100),
});

export type Scenario = z.infer<typeof scenarioSchema>;

/** The error message for the author of the file: which field, what is wrong. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

export async function readScenario(path: string): Promise<Scenario> {
  const text = await readFile(path, 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new ScenarioError(`${path}: not JSON`);
  }
  const parsed = scenarioSchema.safeParse(content);
  if (!parsed.success) throw new ScenarioError(`${path}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
