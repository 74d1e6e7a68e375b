import { dayMs } from '@simcube/contract/time';
import type { HistoryRow } from '@simcube/network-sim';
import type { ImeiChange, LastSeen } from '../../modules/aaa/index.ts';
import { type Cycle, cycleAfter, cycleAt } from '../../modules/bundle/index.ts';
import type { DailyFigures } from '../../modules/usage/index.ts';
import { dashboardDays, daysFrom } from '../../platform/clock/business-day.ts';
import { demoBundleOf } from './demo-catalogue.ts';
import type { DemoSim } from './demo-plan.ts';

interface Account {
  sim: DemoSim;
  cycle: Cycle | undefined;
  usedBytes: number;
  seen: LastSeen | undefined;
}

const expiringDays = 45;

/**
 * Observes the history while it is written, and collects what can't be derived from the records later: the
 * figures of each past day, changes of devices, and each SIM's last location.
 */
export const createLedger = (plan: readonly DemoSim[], { days, now }: { days: number; now: Date }) => {
  const accounts = new Map<string, Account>(
    plan.map((sim) => [sim.device.imsi, { sim, cycle: undefined, usedBytes: 0, seen: undefined }]),
  );
  const overQuota = new Map<Account, Cycle>();
  const overageByDay = new Map<string, Map<string, number>>();
  const imeiChanges: ImeiChange[] = [];
  let day = '';

  const closeDay = () => {
    if (day === '') return;
    const end = dashboardDays.endOf(day);
    const counts = new Map<string, number>();
    for (const [account, cycle] of overQuota) {
      if (cycle.endsAt < end) overQuota.delete(account);
      else counts.set(account.sim.orgCode, (counts.get(account.sim.orgCode) ?? 0) + 1);
    }
    overageByDay.set(day, counts);
  };

  const addRow = (account: Account, row: HistoryRow) => {
    const { device, orgCode } = account.sim;
    const { type, reset_cycle: resetCycle, quota_bytes: quota } = demoBundleOf(device.kind, orgCode);
    const activatedAt = account.sim.steps[0]?.at;
    if (!activatedAt) return;
    const at = new Date(row.ended_at);
    if (!account.cycle || account.cycle.endsAt <= at) {
      account.cycle = account.cycle
        ? cycleUpTo({ cycle: account.cycle, activatedAt, resetCycle, at })
        : cycleAt({ resetCycle, activatedAt, at });
      account.usedBytes = 0;
    }
    account.usedBytes += row.up_bytes + row.down_bytes;
    // What a member of a pool uses beyond its contribution is the pool's.
    if (type === 'postpaid shared' || quota === null) return;
    if (account.usedBytes >= quota) overQuota.set(account, account.cycle);
  };

  return {
    /** Passes the rows on, in the order of days. */
    *watch(rows: Iterable<HistoryRow>): Generator<HistoryRow> {
      for (const row of rows) {
        const rowDay = row.ended_at.slice(0, 10);
        if (rowDay !== day) {
          closeDay();
          day = rowDay;
        }
        const account = accounts.get(row.imsi);
        if (account) {
          addRow(account, row);
          const { iccid, ended_at: at, mcc, mnc, imei } = row;
          if (account.seen && account.seen.imei !== imei) {
            imeiChanges.push({ iccid, at: row.started_at, from: account.seen.imei, to: imei });
          }
          account.seen = { iccid, at, mcc, mnc, imei };
        }
        yield row;
      }
    },
    imeiChanges,
    lastSeen: (): LastSeen[] => [...accounts.values()].flatMap(({ seen }) => (seen ? [seen] : [])),
    /** For every day except today, which is counted live. */
    figures(): DailyFigures[] {
      // No row of a later day follows the last one.
      closeDay();
      const last = dashboardDays.dayOf(new Date(now.getTime() - dayMs));
      const first = dashboardDays.dayOf(new Date(now.getTime() - days * dayMs));
      const orgCodes = [...new Set(plan.map(({ orgCode }) => orgCode))];
      return daysFrom(first, last).flatMap((figureDay) => {
        const end = dashboardDays.endOf(figureDay).getTime();
        return orgCodes.map((orgCode) => {
          const own = plan.filter((sim) => sim.orgCode === orgCode && sim.shippedAt.getTime() < end);
          return {
            orgCode,
            day: figureDay,
            totalSims: own.length,
            activeSims: own.filter((sim) => stepBefore(sim, end)?.kind === 'activate').length,
            overageSims: overageByDay.get(figureDay)?.get(orgCode) ?? 0,
            expiringSims: own.filter((sim) => isExpiring(sim, end)).length,
          };
        });
      });
    },
  };
};

const cycleUpTo = (input: {
  cycle: Cycle;
  activatedAt: Date;
  resetCycle: Parameters<typeof cycleAt>[0]['resetCycle'];
  at: Date;
}): Cycle => {
  const next = cycleAfter(input);
  return next.endsAt > input.at ? next : cycleAt(input);
};

const stepBefore = (sim: DemoSim, beforeMs: number) =>
  sim.steps.findLast(({ at }) => at.getTime() < beforeMs);

const isExpiring = (sim: DemoSim, atMs: number): boolean => {
  const days = demoBundleOf(sim.device.kind).duration_days;
  const kind = stepBefore(sim, atMs)?.kind;
  const [first] = sim.steps;
  if (days === null || !first || (kind !== 'activate' && kind !== 'suspend')) return false;
  const left = first.at.getTime() + days * dayMs - atMs;
  return left > 0 && left <= expiringDays * dayMs;
};
