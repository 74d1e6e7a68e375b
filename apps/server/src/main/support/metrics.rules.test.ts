import { expect, it } from 'vitest';
import { safeMetrics } from './metrics.rules.ts';

const own = [
  '# HELP simcube_jobs_total Jobs run, by name and outcome',
  '# TYPE simcube_jobs_total counter',
  'simcube_jobs_total{job="mail.send",outcome="done"} 12345678',
  'process_resident_memory_bytes 123456789',
];

it('only metrics of SimCube and Node.js are included, with personal labels scrubbed', () => {
  const more = ['other_total{who="ana"} 1', 'simcube_smsc_bound{connection="ana@acme.example"} 1', ''];
  expect(safeMetrics([...own, ...more].join('\n')).split('\n')).toEqual([
    ...own,
    'simcube_smsc_bound{connection="[mail address]"} 1',
  ]);
});

it('responses of other programs are omitted', () => {
  expect(safeMetrics('<html>Ana</html>')).toBe('');
  expect(safeMetrics('process_cpu_seconds_total 1')).toBe('');
});
