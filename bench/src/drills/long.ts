import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytesOf } from '../processes.ts';
import { median } from '../report.ts';
import type { Drill, Tally } from './drill.ts';
import { withInstallation } from './installation.ts';

const sampleIntervalMs = 2000;
const megabyte = 1_000_000;
/** Allowed growth from the second third to the last: uncollected garbage varies by this much from minute to minute. */
const allowed = { share: 1.15, bytes: 20 * megabyte, handles: 10 };

interface Sample {
  bytes: number;
  handles: number;
}

/** No faults; memory and file handles of each process must not grow after a warm-up of some minutes. */
export const long: Drill = async (run) => {
  const samples = new Map<string, Sample[]>();
  const tallies = await withInstallation(run, {
    during: async ({ processes, until }) => {
      for (; !until.aborted; await sleep(sampleIntervalMs)) {
        for (const [role, one] of Object.entries(processes)) {
          const previous = samples.get(role) ?? [];
          samples.set(role, [...previous, takeSample(one.pid())]);
        }
      }
    },
  });
  return [...tallies, ...growth([...samples], run.note)];
};

const takeSample = (pid: number): Sample => ({
  bytes: residentBytesOf(pid),
  handles: readdirSync(`/proc/${pid}/fd`).length,
});

/** Compares the last third of each process's samples with the previous third. */
export const growth = (
  samples: readonly (readonly [string, readonly Sample[]])[],
  note: (text: string) => void,
): Tally[] => {
  const findings = samples.map(([role, all]) => {
    const third = Math.floor(all.length / 3);
    const [before, last] = [all.slice(third, 2 * third), all.slice(-third)];
    const of = (part: readonly Sample[], name: keyof Sample) => median(part.map((sample) => sample[name]));
    const bytes = { before: of(before, 'bytes'), last: of(last, 'bytes') };
    const handles = { before: of(before, 'handles'), last: of(last, 'handles') };
    note(
      `${role}: ${Math.round(bytes.before / megabyte)} MB and ${handles.before} handles in the second third, ` +
        `${Math.round(bytes.last / megabyte)} MB and ${handles.last} in the last one.`,
    );
    return {
      bytes: bytes.last > bytes.before * allowed.share + allowed.bytes,
      handles: handles.last > handles.before + allowed.handles,
    };
  });
  const tallyOf = (what: string, grown: number): Tally => {
    const count = findings.length;
    return { what, sent: count, acknowledged: count, stored: count - grown, lost: grown, doubled: 0 };
  };
  return [
    tallyOf('processes whose memory stayed', findings.filter(({ bytes }) => bytes).length),
    tallyOf('processes whose handles stayed', findings.filter(({ handles }) => handles).length),
  ];
};
