import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountingFailures, decodeFailures, verifyFailures } from '@simcube/radius';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricsOf } from '../../main/roles.ts';
import { controlJob } from '../../modules/aaa/control/control.job.ts';
import { type RoleName, roleNames } from '../../platform/env/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { projectRoot } from './source-tree.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
interface Dashboard {
  panels: {
    title: string;
    gridPos: { x: number; y: number };
    targets: { expr: string; legendFormat: string }[];
  }[];
}

const { groups } = parse(read('deploy/monitoring/simcube.rules.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/monitoring/simcube.dashboard.json')) as Dashboard;
const operations = read('docs/operations.md');
const alerts = read('docs/alerts.md');

const { registry } = createMetrics();
const product = registry.getMetricsAsArray() as unknown as {
  name: string;
  type: string;
  labelNames?: string[];
}[];
/** Labels of each series: those of the metric, of its type, and those that Prometheus adds. */
const series = new Map<string, string[]>([
  ['up', ['job', 'instance']],
  ...product.flatMap(({ name, type, labelNames = [] }): [string, string[]][] => {
    const labels = [...labelNames, 'job', 'instance'];
    if (type !== 'histogram') return [[name, labels]];
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ];
  }),
]);

const withoutStrings = (text: string): string => text.replaceAll(/"[^"]*"/g, '""');
/** Names that are followed neither by `(`, as functions are, nor by a comparison, as labels are. */
const namesOf = (text: string): string[] =>
  [...withoutStrings(text).matchAll(/\b(?:up|(?:simcube|process|nodejs)_\w+)\b/g)].map(([name]) => name);
const groupedBy = (text: string): string[] =>
  [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));
const matchedBy = (text: string): [name: string, label: string][] =>
  [...text.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']): [string, string] => [name, label]),
  );

const expressions = [
  ...rules.map(({ alert, expr, annotations }) => ({ of: alert, expr, shown: annotations.summary })),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr, legendFormat }) => ({ of: title, expr, shown: legendFormat })),
  ),
];

describe.each(expressions)('$of: $expr', ({ expr, shown }) => {
  const names = namesOf(expr);

  it('reads existing metrics', () => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !series.has(name))).toEqual([]);
  });

  it('selects, groups and displays existing labels', () => {
    expect(matchedBy(expr).filter(([name, label]) => !series.get(name)?.includes(label))).toEqual([]);
    const grouping = groupedBy(expr);
    const known = names.flatMap((name) => series.get(name) ?? []);
    expect(grouping.filter((label) => !known.includes(label))).toEqual([]);
    const legend = [...shown.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, label = '']) => label);
    const kept = expr.includes('by (') ? grouping : known;
    expect(legend.filter((label) => !kept.includes(label))).toEqual([]);
  });
});

describe('alerts', () => {
  it('have one section each in docs/alerts.md, in the same order', () => {
    const sections = [...alerts.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
      expect(['critical', 'warning']).toContain(labels.severity);
    }
  });

  it('on missing events also fire without a series after a restart', () => {
    const silent = rules.filter(({ expr }) => /\brate\(.*== 0/s.test(expr));
    expect(silent.map(({ alert }) => alert)).toEqual(['SimcubeAccountingSilent']);
    expect(silent.filter(({ expr }) => !/\(sum\(rate\([^)]*\)\) or vector\(0\)\) == 0/.test(expr))).toEqual(
      [],
    );
  });

  it('on accounting count only what is acknowledged: refused packets arrive, too', () => {
    const silent = rules.find(({ alert }) => alert === 'SimcubeAccountingSilent')?.expr ?? '';
    expect(silent.match(/\{[^}]*\}/g)).toEqual(
      Array.from({ length: 2 }, () => '{kind="accounting",outcome="answered"}'),
    );
  });

  it('name every outcome of a RADIUS packet that leaves it without a reply', () => {
    const source = read('apps/server/src/modules/aaa/listener/radius-server.ts');
    const literals = (call: string) => [
      ...new Set([...source.matchAll(new RegExp(call, 'g'))].map(([, outcome = '']) => outcome)),
    ];
    const shed = literals(String.raw`\.shed\('([\w-]+)'\)`);
    const refused = [
      ...literals(String.raw`#refuse\([\w.']+, '([\w-]+)'`),
      ...[...decodeFailures, ...verifyFailures, ...accountingFailures],
    ];
    expect([shed.length, refused.length > 18]).toEqual([4, true]);
    const replied = ['answered', 'answered-again', 'in-progress', 'accepted', 'unknown-sim', 'repeated'];
    for (const [name, outcomes] of [
      ['SimcubeRadiusShedding', shed],
      ['SimcubeRadiusRefused', refused],
    ] as const) {
      const expr = rules.find(({ alert }) => alert === name)?.expr ?? '';
      const [, pattern = ''] = /outcome=~"([^"]+)"/.exec(expr) ?? [];
      const matches = (outcome: string) => new RegExp(`^(?:${pattern})$`).test(outcome);
      expect(new Set([...shed, ...refused, ...replied].filter(matches))).toEqual(new Set(outcomes));
      expect(panels.some(({ targets }) => targets.some((one) => one.expr.includes(`"${pattern}"`)))).toBe(
        true,
      );
      expect(outcomes.filter((outcome) => !operations.includes(`\`${outcome}\``))).toEqual([]);
    }
  });

  it('exist for each role that no process reports, because alerts on its metrics can’t fire then', () => {
    const needed = rules
      .map(({ expr }) => [...expr.matchAll(/\babsent\((\w+)\)/g)].map(([, metric = '']) => metric))
      .filter(({ length }) => length > 0);
    const namesIn = (roles: RoleName[]) =>
      createMetrics(metricsOf(roles))
        .registry.getMetricsAsArray()
        .map(({ name }) => name);
    for (const role of roleNames) {
      const own = namesIn([role]);
      const others = namesIn(roleNames.filter((other) => other !== role));
      const alert = needed.filter((metrics) =>
        metrics.every((metric) => own.includes(metric) && !others.includes(metric)),
      );
      expect([role, alert.length]).toEqual([role, 1]);
    }
    expect(needed.length).toBe(roleNames.length);
  });

  it.each(['prometheus.yml', 'prometheus-kubernetes.yml'])('have their scrape job in %s', (file) => {
    const { rule_files: files, scrape_configs: jobs } = parse(read(`deploy/monitoring/${file}`)) as {
      rule_files: string[];
      scrape_configs: { job_name: string; relabel_configs?: { source_labels: string[]; regex?: string }[] }[];
    };
    const named = rules.flatMap(({ expr }) => /job="(simcube)"/.exec(expr)?.[1] ?? []);
    expect([files, new Set(named)]).toEqual([
      ['simcube.rules.yml'],
      new Set(jobs.map(({ job_name }) => job_name)),
    ]);
    const manifests = read('deploy/kubernetes/simcube.yaml');
    const kept = new Map(
      jobs.flatMap(({ relabel_configs: relabelled = [] }) =>
        relabelled.map(({ source_labels: [label = ''], regex }) => [label, regex]),
      ),
    );
    if (kept.size === 0) return;
    expect(manifests).toContain(`labels: { app: ${kept.get('__meta_kubernetes_pod_label_app')}, `);
    expect(manifests).toContain(
      `{ name: ${kept.get('__meta_kubernetes_pod_container_port_name')}, containerPort`,
    );
  });

  it('use no *_over_time functions, which would wait twice with `for`', () => {
    const twice = rules.filter(({ expr }) => /_over_time\(/.test(expr));
    expect(twice.map(({ alert }) => alert)).toEqual([]);
  });

  it('refer to the Disconnect job by its name', () => {
    const named = [...`${alerts}${JSON.stringify(rules)}`.matchAll(/\baaa\.[\w-]+/g)].map(([name]) => name);
    expect(new Set(named)).toEqual(new Set([controlJob.name]));
  });

  it('name commands that exist', () => {
    const commands = [...alerts.matchAll(/`simcube (\w+ \w+)/g)].map(([, command]) => command);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((command) => !operations.includes(`\`${command}`))).toEqual([]);
  });
});

describe('the metrics of the product', () => {
  const own = product.map(({ name }) => name).filter((name) => name.startsWith('simcube_'));

  it('are exactly those described in docs/operations.md', () => {
    expect(own.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
    const described = [...operations.matchAll(/`(simcube_\w+)/g)].map(([, name = '']) => name);
    expect(described.filter((name) => !own.includes(name))).toEqual([]);
  });

  it('are all used by the dashboard or an alert', () => {
    const used = new Set(expressions.flatMap(({ expr }) => namesOf(expr)));
    const unused = own.filter(
      (name) => ![name, `${name}_bucket`, `${name}_count`].some((one) => used.has(one)),
    );
    expect(unused).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('has no panels in the same place', () => {
    const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(panels.length);
  });
});
