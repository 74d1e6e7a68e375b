import { phrase } from '@simcube/phrases';
import { statusNumber, sumOfMtParts } from '../../sms/index.ts';
import { figure } from '../report.rules.ts';
import { type Source, series } from './source.ts';

interface Row {
  iccid: string;
  device_name: string | null;
  sent: number;
  parts: number;
  delivered: number;
  failed: number;
  received: number;
}

/** Messages of the month: a row for each SIM that sent or received one. */
export const sms: Source<Row> = {
  columns: [
    ['iccid', 'identifier'],
    ['device_name', 'text'],
    ['sent', 'count'],
    ['sent_parts', 'count'],
    ['delivered', 'count'],
    ['failed', 'count'],
    ['received', 'count'],
  ],
  rows: ({ orgId, from, until }) => ({
    text: `select s.iccid, case when s.org_id = $1 then s.device_name end as device_name, m.sent, m.parts, m.delivered,
         m.failed, m.received
       from (
         select sim_id, count(*) filter (where not mobile_originated)::int as sent,
           ${sumOfMtParts}::int as parts,
           count(*) filter (where not mobile_originated and status = ${statusNumber('delivered')})::int as delivered,
           count(*) filter (where not mobile_originated and status = ${statusNumber('failed')})::int as failed,
           count(*) filter (where mobile_originated)::int as received
         from sms_messages where org_id = $1 and at >= $2 and at < $3 group by sim_id) as m
       join sims s on s.id = m.sim_id order by s.iccid`,
    values: [orgId, from, until],
  }),
  cells: ({ iccid, device_name, sent, parts, delivered, failed, received }) => [
    ...[iccid, device_name, sent, parts, delivered, failed, received],
  ],
  tally: ({ language }) => {
    const names = ['sent', 'delivered', 'failed', 'received'] as const;
    const sums = { sent: 0, delivered: 0, failed: 0, received: 0 };
    return {
      add: (row) => {
        for (const name of names) sums[name] += row[name];
      },
      figures: () => names.map((name) => figure(name, 'count', sums[name])),
      series: () =>
        series(
          'count',
          names.map((name) => ({
            label: phrase(language, `report.figures.${name}`),
            value: sums[name],
            tone: 'plain',
          })),
        ),
    };
  },
};
