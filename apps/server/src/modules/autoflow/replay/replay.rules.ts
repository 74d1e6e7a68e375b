import { limits } from '@simcube/contract';
import { type Replay, scopeSchema, triggerSchema } from '@simcube/contract/autoflow';
import { z } from 'zod';
import { addDays, daysFrom, usageDays } from '../../../platform/clock/business-day.ts';
import type { Span } from '../engine/period.rules.ts';
import { type Amounts, addAmounts } from './amounts.rules.ts';

/** What is evaluated: a version of a rule, or an unsaved rule. */
export const replayedSchema = z.object({
  /** Version of a rule; null for an unsaved one. */
  version: z.number().nullable(),
  trigger: triggerSchema,
  scope: scopeSchema,
  /** SIMs in an unsaved rule's list, which is stored nowhere else. */
  sims: z.array(z.number()).nullable(),
  /** The same for its list of IMEIs. */
  imeis: z.array(z.tuple([z.number(), z.string()])).nullable(),
});
export type ReplayedRule = z.output<typeof replayedSchema>;

/** Not the id of any list: it stands for an unsaved rule's list. */
export const draftListId = '0';

/** The results of a replay: firings by the position of their day, and SIMs. */
export const tallySchema = z.object({
  days: z.array(z.number()),
  firings: z.number(),
  sims: z.number(),
  /** Amounts by currency; null if they can't be determined. */
  overage: z.record(z.string(), z.number()).nullable().default(null),
});
export type Tally = z.output<typeof tallySchema>;

const { historyDays } = limits.autoflow;

export const createTally = (): Tally => ({
  days: Array.from({ length: historyDays }, () => 0),
  firings: 0,
  sims: 0,
  overage: null,
});

/** The last 30 days (UTC), from the start of the first until now. */
export const replaySpan = (now: Date): Span => {
  const today = usageDays.dayOf(now);
  return {
    startsAt: usageDays.startOf(addDays(today, 1 - historyDays)).getTime(),
    endsAt: now.getTime(),
  };
};

/** The days of a span, with the results of each. */
export const toReplayDays = (span: Span, tally: Tally, former: Tally | null): Replay['days'] =>
  daysFrom(usageDays.dayOf(new Date(span.startsAt)), usageDays.dayOf(new Date(span.endsAt))).map(
    (day, dayIndex) => ({
      day,
      count: tally.days[dayIndex] ?? 0,
      former: former && (former.days[dayIndex] ?? 0),
    }),
  );

/** Adds the results of one SIM, by the positions of its days. */
export const addFirings = (tally: Tally, dayIndexes: readonly number[]): void => {
  for (const dayIndex of dayIndexes) tally.days[dayIndex] = (tally.days[dayIndex] ?? 0) + 1;
  tally.firings += dayIndexes.length;
  tally.sims += dayIndexes.length > 0 ? 1 : 0;
};

/** Adds the charges of several SIMs. */
export const addOverage = (tally: Tally, overage: Amounts): void => {
  tally.overage &&= addAmounts(tally.overage, overage);
};

/** Charges for display, by currency. */
export const toOverage = ({ overage }: Tally): Replay['overage'] =>
  overage && Object.entries(overage).map(([currency, amount_minor]) => ({ currency, amount_minor }));
