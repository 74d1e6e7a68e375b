import type { SimEvent } from '@simcube/contract/sim';
import type { Db } from '../../../platform/db/index.ts';

const codePattern = /^(\d{3})-(\d{2,3})$/;

/** Which facts name networks depends on the kind; no other recorded value has the form of a network code. */
const codesIn = ({ facts }: Pick<SimEvent, 'facts'>): string[] =>
  ['network', 'plmn', 'from', 'to'].flatMap((name) => {
    const value = facts[name];
    return typeof value === 'string' && codePattern.test(value) ? [value] : [];
  });

const plmnOf = (code: string): number => {
  const [, mcc, mnc] = codePattern.exec(code) ?? [];
  return Number(mcc) * 1000 + Number(mnc);
};

/** Adds the operators and countries of the networks whose codes the events' facts contain, as far as known. */
export const withNetworks = async <Event extends Pick<SimEvent, 'facts' | 'networks'>>(
  db: Db,
  events: readonly Event[],
): Promise<Event[]> => {
  const plmns = new Set(events.flatMap(codesIn).map(plmnOf));
  if (plmns.size === 0) return [...events];
  const rows = await db
    .selectFrom('networks')
    .select(['plmn', 'operator', 'country'])
    .where('plmn', 'in', [...plmns])
    .execute();
  const known = new Map(rows.map(({ plmn, ...names }) => [plmn, names]));
  return events.map((event) => {
    const named = codesIn(event).flatMap((code) => {
      const names = known.get(plmnOf(code));
      return names ? [[code, names] as const] : [];
    });
    return named.length === 0 ? event : { ...event, networks: Object.fromEntries(named) };
  });
};
