import type { Cdr, CdrColumn } from '@simcube/contract/cdr';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { type Column, useRowExpanded } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { type CdrNames, plmnOf, useCdrNames } from '../cdr-names.ts';
import { isWithinDay, periodNames } from '../filter.ts';
import styles from './cdr-list.module.css';

export const simHref = (language: string, iccid: string): string =>
  `/${language}/simCard/${encodeURIComponent(iccid)}`;

/** Columns of the file, by the table's column that shows the same. */
export const fileColumns: Readonly<Record<string, readonly CdrColumn[]>> = {
  time: ['started_at', 'ended_at'],
  iccid: ['iccid'],
  device: ['device_name'],
  imsi: ['imsi'],
  msisdn: ['msisdn'],
  operator: ['operator', 'plmn'],
  country: ['country'],
  radio: ['radio'],
  cell: ['cell'],
  apn: ['apn'],
  bundle: ['bundle'],
  session: ['session'],
  source: ['source'],
  down: ['down_bytes'],
  up: ['up_bytes'],
  total: ['total_bytes'],
};

/** @param withDays whether times are shown with their days */
export const useCdrColumns = ({ withDays }: { withDays: boolean }): Column<Cdr>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  const { language } = format;
  const words = useCdrNames();
  return useMemo(() => {
    const mono = (label: string, value: string | null) =>
      value === null ? '—' : <Identifier label={label} value={value} />;
    return [
      {
        id: 'time',
        title: t('cdr.fields.time', { zone: format.zone === 'UTC' ? 'UTC' : t('common.time.local') }),
        width: withDays ? 198 : 174,
        fixed: true,
        sort: 'ended_at',
        filteredBy: periodNames,
        phone: 'heading',
        render: (record, href) => <Span format={format} href={href} record={record} withDays={withDays} />,
      },
      {
        id: 'iccid',
        filteredBy: ['sims'],
        title: t('cdr.fields.iccid'),
        width: 168,
        phone: 'line',
        render: ({ iccid, own }) => {
          const shown = <Identifier emphasis label={t('cdr.fields.iccid')} value={iccid} />;
          return own && session.can('sim') ? <Link href={simHref(language, iccid)}>{shown}</Link> : shown;
        },
      },
      {
        id: 'device',
        title: t('cdr.fields.device'),
        width: 158,
        phone: 'line',
        phoneWhen: ({ device_name: name }) => name !== null,
        render: ({ device_name: name }) => (name === null ? '—' : <span title={name}>{name}</span>),
      },
      ...placeColumns(t, words, mono),
      {
        id: 'bundle',
        title: t('cdr.fields.bundle'),
        width: 130,
        render: ({ bundle }) => (bundle === null ? '—' : <span title={bundle}>{bundle}</span>),
      },
      {
        id: 'imsi',
        title: t('cdr.fields.imsi'),
        width: 146,
        initiallyHidden: true,
        render: ({ imsi }) => mono(t('cdr.fields.imsi'), imsi),
      },
      {
        id: 'msisdn',
        title: t('cdr.fields.msisdn'),
        width: 132,
        initiallyHidden: true,
        render: ({ msisdn }) => mono(t('cdr.fields.msisdn'), msisdn),
      },
      {
        id: 'session',
        title: t('cdr.fields.session'),
        width: 200,
        initiallyHidden: true,
        render: ({ session }) => mono(t('cdr.fields.session'), session),
      },
      {
        id: 'source',
        title: t('cdr.fields.source'),
        width: 90,
        initiallyHidden: true,
        render: ({ source }) => t(`cdr.sources.${source}`),
      },
      ...amountColumns(t),
    ];
  }, [t, format, words, language, withDays]);
};

const placeColumns = (
  t: TFunction,
  words: CdrNames,
  mono: (label: string, value: string | null) => ReactNode,
): Column<Cdr>[] => [
  {
    id: 'operator',
    title: t('cdr.fields.operator'),
    width: 134,
    phone: 'aside',
    phoneWhen: ({ network }) => network !== null,
    render: ({ network }) => {
      const name = network
        ? words.operator(plmnOf(network), network.operator, network.country)
        : t('cdr.unknown');
      return <span title={name}>{name}</span>;
    },
  },
  {
    id: 'country',
    title: t('cdr.fields.country'),
    width: 120,
    initiallyHidden: true,
    render: ({ network }) => (network?.country ? words.country(network.country) : t('cdr.unknown')),
  },
  {
    id: 'radio',
    title: t('cdr.fields.radio'),
    width: 72,
    phone: 'aside',
    render: ({ radio }) => words.radio(radio ?? 'unknown'),
  },
  {
    id: 'cell',
    title: t('cdr.fields.cell'),
    width: 145,
    initiallyHidden: true,
    render: ({ cell }) => mono(t('cdr.fields.cell'), cell),
  },
  {
    id: 'apn',
    title: t('cdr.fields.apn'),
    width: 120,
    initiallyHidden: true,
    render: ({ apn }) => apn ?? '—',
  },
];

const amountColumns = (t: TFunction): Column<Cdr>[] => [
  {
    id: 'down',
    title: t('cdr.fields.down'),
    width: 78,
    align: 'end',
    render: ({ down_bytes: bytes }) => <Bytes value={bytes} />,
  },
  {
    id: 'up',
    title: t('cdr.fields.up'),
    width: 78,
    align: 'end',
    render: ({ up_bytes: bytes }) => <Bytes value={bytes} />,
  },
  {
    id: 'total',
    title: t('cdr.fields.total'),
    width: 78,
    align: 'end',
    phone: 'line',
    render: ({ total_bytes: bytes }) => (
      <b>
        <Bytes value={bytes} />
      </b>
    ),
  },
];

interface SpanProps {
  record: Cdr;
  href: string;
  format: Format;
  withDays: boolean;
}

/** "Nov 22, 14:26:40–14:31:40": the day only once, unless the record extends beyond it. */
const Span = ({ record, href, format, withDays }: SpanProps) => {
  const expanded = useRowExpanded();
  const { started_at: from, ended_at: to } = record;
  const sameDay = format.date(from) === format.date(to);
  const hidesDays = !withDays && isWithinDay({ from, to });
  return (
    <Link
      aria-expanded={expanded}
      className={styles['span']}
      href={href}
      title={`${format.exact(from)} – ${format.exact(to)}`}
    >
      {hidesDays ? format.seconds(from) : format.moment(from)}
      {sameDay && !hidesDays ? '–' : ' – '}
      {hidesDays || sameDay ? format.seconds(to) : format.moment(to)}
    </Link>
  );
};
