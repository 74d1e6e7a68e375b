import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { deviceKindNames } from './device-kinds.ts';

const share = z.number().min(0).max(1);
const wallSeconds = z.number().positive().max(86_400);

/** Time in the run (wall seconds), and optionally the interval of repetition. */
const timing = { atSeconds: z.number().min(0).max(86_400), everySeconds: wallSeconds.optional() };

const event = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('restart'),
    ...timing,
    downSeconds: wallSeconds,
    /** With Accounting-Off before the restart; otherwise like a crash. The sessions' Stops are lost in both cases. */
    announced: z.boolean(),
  }),
  z.strictObject({
    do: z.literal('roam'),
    ...timing,
    /** Share of the active devices that are in another country at their next update. */
    share,
  }),
]);

export type ScenarioEvent = z.infer<typeof event>;

export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(40),
  description: z.string().max(400),
  nasIdentifier: z.string().min(1).max(63),
  nasIpAddress: z.string().refine(isIPv4, 'not an IPv4 address'),
  /** Number of generated devices if no device file is given. */
  demoDevices: z.number().int().min(1).max(1_000_000),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32),
  /** Ratio of device time to wall time. */
  speed: z.number().positive().max(3_600),
  maxActive: z.number().int().min(1).max(200_000),
  /** Limit for all packets that the gateway initiates; excess packets are delayed. */
  maxPacketsPerSecond: z.number().positive().max(100_000),
  /** Wall seconds between updates, regardless of the server's interval; makes a demonstration livelier. */
  interimSeconds: z
    .strictObject({ least: wallSeconds, most: wallSeconds })
    .refine(({ least, most }) => least <= most, 'least is more than most')
    .optional(),
  /** Factor by which devices change operator and country more often than usual. */
  roaming: z.number().min(0).max(20),
  /** Probability at each start of a session. */
  imeiChangeChance: share,
  /** Share of session ends that are never reported. */
  lostStopShare: share,
  /** Factors of the kinds' volumes; 1 by default. */
  volume: z.partialRecord(z.enum(deviceKindNames), z.number().min(0).max(1_000)),
  /** Wall seconds before a rejected device retries: doubled each time, with a jitter of one half. */
  rejectBackoffSeconds: z.strictObject({ first: wallSeconds, most: wallSeconds }),
  /** First retransmission of an unanswered packet. */
  retransmitMs: z.number().int().min(10).max(60_000),
  statsEverySeconds: wallSeconds,
  events: z.array(event).max(100),
});

export type Scenario = z.infer<typeof scenarioSchema>;

/** An error for the author of the file, with the field and the reason. */
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
