import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import type { ConsoleClient } from '../console-client.ts';
import { iccidOf } from '../fleet.ts';
import { callUntilAnswered } from './call-until-answered.ts';
import type { Tally } from './drill.ts';

const simsPerOrder = 10;
const pollMs = 250;

const { list, suspend, resume } = endpoints.sim;

/**
 * A person who suspends SIMs, polls the list until all of them are paused, resumes them, polls again, and continues with the next
 * SIMs in a loop. A request without a response is repeated with the same Idempotency-Key.
 */
export class ConsoleWork {
  readonly #console: ConsoleClient;
  readonly #sims: readonly number[];
  #orders = 0;
  /** Number of operations on each SIM, by ICCID. */
  readonly #ordered = new Map<string, number>();
  #repeated = 0;

  /** @param sims indexes in the fleet of the SIMs to use; nothing else changes their lifecycle */
  constructor(console: ConsoleClient, sims: readonly number[]) {
    this.#console = console;
    this.#sims = sims;
  }

  /** Requests repeated because there was no response or an error. */
  get retries(): number {
    return this.#repeated;
  }

  async run(until: AbortSignal): Promise<void> {
    for (let first = 0; !until.aborted; first = (first + simsPerOrder) % this.#sims.length) {
      const iccids = this.#sims.slice(first, first + simsPerOrder).map(iccidOf);
      await this.#order(suspend, iccids);
      await this.#seen(iccids, 'paused');
      await this.#order(resume, iccids);
      await this.#seen(iccids, 'active');
    }
  }

  async #order(endpoint: typeof suspend | typeof resume, iccids: readonly string[]): Promise<void> {
    this.#orders += 1;
    const request = {
      body: { selection: { iccids }, preview: false },
      idempotencyKey: `order-${this.#orders}`,
    };
    this.#repeated += await callUntilAnswered(this.#console, endpoint, request);
    for (const iccid of iccids) this.#ordered.set(iccid, (this.#ordered.get(iccid) ?? 0) + 1);
  }

  async #seen(iccids: readonly string[], lifecycle: 'paused' | 'active'): Promise<void> {
    const body = { identifiers: iccids, lifecycle: [lifecycle] };
    const count = () =>
      this.#console.call(list, { body }).then(
        ({ response }) => (response.data as unknown[]).length,
        () => 0,
      );
    while ((await count()) < iccids.length) await sleep(pollMs);
  }

  async tallies(client: pg.Client): Promise<Tally[]> {
    const { rows: orders } = await client.query<{ count: number }>(
      `select count(*)::int as count from tasks where type in ('sim-suspend', 'sim-resume')`,
    );
    const { rows } = await client.query<{ iccid: string; changes: number }>(
      `select s.iccid, count(*)::int as changes from sim_events e join sims s on s.id = e.sim_id
       where e.kind = 'lifecycle-changed' and s.iccid = any($1) group by 1`,
      [[...this.#ordered.keys()]],
    );
    const changes = new Map(rows.map((row) => [row.iccid, row.changes]));
    const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
    const sent = sum(this.#ordered.values());
    const differences = [...this.#ordered].map(([iccid, count]) => (changes.get(iccid) ?? 0) - count);
    const stored = orders[0]?.count ?? 0;
    return [
      {
        what: 'orders at the console',
        sent: this.#orders,
        acknowledged: this.#orders,
        stored,
        lost: Math.max(0, this.#orders - stored),
        doubled: Math.max(0, stored - this.#orders),
      },
      {
        what: 'changes of SIMs by them',
        sent,
        acknowledged: sent,
        stored: sum(changes.values()),
        lost: sum(differences.map((difference) => Math.max(0, -difference))),
        doubled: sum(differences.map((difference) => Math.max(0, difference))),
      },
    ];
  }
}
