import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { ConsoleClient } from '../console-client.ts';
import { iccidOf } from '../fleet.ts';
import { compareMessages } from '../sms-data.ts';
import { callUntilAnswered } from './call-until-answered.ts';
import type { Tally } from './drill.ts';

const intervalMs = 200;

/** A person who sends messages to one SIM after the other, and repeats unanswered calls with the same Idempotency-Key. */
export class MessageSender {
  readonly #console: ConsoleClient;
  readonly #sims: number;
  #acknowledged = 0;
  #repeated = 0;

  constructor(console: ConsoleClient, sims: number) {
    this.#console = console;
    this.#sims = sims;
  }

  /** Calls repeated because there was no response or an error. */
  get retries(): number {
    return this.#repeated;
  }

  async run(until: AbortSignal): Promise<void> {
    for (let sim = 0; sim < this.#sims && !until.aborted; sim += 1) {
      await this.#send(sim);
      await sleep(intervalMs);
    }
  }

  async #send(sim: number): Promise<void> {
    const body = { selection: { iccids: [iccidOf(sim)] }, content: `Number ${sim}`, preview: false };
    const request = { body, idempotencyKey: `drill-${sim}` };
    this.#repeated += await callUntilAnswered(this.#console, endpoints.sms.send, request);
    this.#acknowledged += 1;
  }

  /** @param submitted file with the numbers that were submitted to the SMSC */
  async tallies(client: pg.Client, submitted: string): Promise<Tally[]> {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from sms_messages where not mobile_originated group by msisdn',
    );
    const comparison = await compareMessages(client, submitted);
    return [
      {
        what: 'messages accepted',
        sent: this.#acknowledged,
        acknowledged: this.#acknowledged,
        stored: comparison.messages,
        lost: Math.max(0, this.#acknowledged - rows.length),
        doubled: rows.reduce((sum, { count }) => sum + count - 1, 0),
      },
      {
        what: `messages at the SMSC (${comparison.unknown} unknown)`,
        sent: comparison.messages,
        acknowledged: comparison.messages,
        stored: comparison.submitted,
        lost: comparison.lost,
        doubled: comparison.doubled,
      },
    ];
  }
}
