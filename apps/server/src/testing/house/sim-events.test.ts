import { languages } from '@simcube/contract';
import {
  type SimEventKind,
  simEventKinds,
  simEventReasons,
  simEvents,
  simTraceTopics,
  tracedSimEvents,
} from '@simcube/contract/sim';
import { bundle as enUS } from '@simcube/phrases/en-US';
import { bundle as esES } from '@simcube/phrases/es-ES';
import { bundle as zhCN } from '@simcube/phrases/zh-CN';
import { bundle as zhTW } from '@simcube/phrases/zh-TW';
import { describe, expect, it } from 'vitest';
import { isTest, linesThat, sourceFiles } from './source-tree.ts';

const bundles = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW, 'es-ES': esES };
const sorted = (names: Iterable<string>): string[] => [...names].toSorted((a, b) => a.localeCompare(b));

const product = sourceFiles((path) => /^apps\/server\/src\/.*\.ts$/.test(path) && !isTest(path));

/** The quoted strings in the first argument of every `simEvent(kind, facts)`: the kind, or two alternatives. */
const writtenKinds = new Set(
  product.flatMap(({ text }) =>
    [...text.matchAll(/\bsimEvent\(([^,]+),/g)].flatMap(([, kind = '']) =>
      [...kind.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
    ),
  ),
);

/** Kinds that are passed to a function of orders, which passes them on. */
const passedOn = new Set(
  product.flatMap(({ text }) =>
    [...text.matchAll(/\brecordOrderEvents\(\s*tx,\s*'([\w-]+)'/g)].map(([, name = '']) => name),
  ),
);

describe('SIM events', () => {
  it('are all written by the product', () => {
    expect(sorted([...writtenKinds, ...passedOn])).toEqual(sorted(simEventKinds));
  });

  it('are inserted by one function', () => {
    // Benchmarks fill tables directly, by the million.
    const files = sourceFiles(
      (path) => /\.(ts|mjs|sql)$/.test(path) && !/\.test\.ts$/.test(path) && !path.startsWith('bench/'),
    );
    const writes = linesThat(files, (line) =>
      /(insert into|update|delete from|copy) sim_events\b/i.test(line),
    );
    expect(writes.map((line) => line.replace(/:.*/s, ''))).toEqual([
      'apps/server/src/modules/sim/events/sim-events.queries.ts',
    ]);
  });

  it('have reasons that are all used', () => {
    const texts = product.map(({ text }) => text).join('\n');
    expect(simEventReasons.filter((reason) => !texts.includes(`'${reason}'`))).toEqual([]);
  });

  it('have trace topics, each with events', () => {
    const topics = new Set(tracedSimEvents.map((kind: SimEventKind) => simEvents[kind].trace));
    expect(sorted(simTraceTopics)).toEqual(sorted([...topics].filter((topic) => topic !== null)));
  });
});

describe.each(languages)('%s', (language) => {
  const { sim, simTabs, files } = bundles[language];

  it('has phrases for exactly the kinds, reasons and topics', () => {
    expect(sorted(Object.keys(sim.events.kinds))).toEqual(sorted(simEventKinds));
    expect(sorted(Object.keys(sim.events.reasons))).toEqual(sorted(simEventReasons));
    expect(sorted(Object.keys(simTabs.trace.topics))).toEqual(sorted([...simTraceTopics, 'other']));
  });

  it('has a name for every fact in the status trace export', () => {
    const facts = new Set(tracedSimEvents.flatMap((kind) => Object.keys(simEvents[kind].facts.shape)));
    expect(sorted(Object.keys(files.facts))).toEqual(sorted(facts));
  });
});
