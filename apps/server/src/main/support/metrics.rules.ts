import { scrubText } from './scrub.rules.ts';

const knownMetric = /^(?:# (?:HELP|TYPE) )?(?:simcube|process|nodejs)_/;

/**
 * The metrics of SimCube and Node.js in Prometheus's text format; empty if another program responded.
 */
export const safeMetrics = (text: string): string => {
  const lines = text.split('\n').filter((line) => knownMetric.test(line));
  return lines.some((line) => line.startsWith('simcube_') || line.startsWith('# HELP simcube_'))
    ? lines.map((line) => line.replaceAll(/"[^"]*"/g, (label) => scrubText(label))).join('\n')
    : '';
};
