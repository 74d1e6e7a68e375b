import { endpoints, limits } from '@simcube/contract';
import type { SimMatch, SimRow, SimSearchField } from '@simcube/contract/sim';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useDebounced } from '../../lib/debounce/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { useAnswer } from '../../ui/answer/index.ts';
import { Identifier } from '../../ui/identifier/index.ts';
import { Marked } from '../../ui/marked/index.ts';
import styles from './command-palette.module.css';
import type { PaletteItem } from './palette-items.ts';

const shownSims = 7;
/** One letter finds half the inventory; two already tell. */
const shortestSearch = 2;

/** The way to all matches is no match itself. */
export const allSimsKey = 'sim-all';

export interface SimItems {
  items: readonly PaletteItem[];
  state: 'idle' | 'searching' | 'failed' | 'done';
}

/** SIMs by any identifier, name, note or tag, as the server finds them; with a way to all of them. */
export const useSimItems = (typed: string, open: boolean): SimItems => {
  const { t } = useTranslation();
  const router = useRouter();
  const language = useLanguage();
  const wanted = typed.trim();
  const search = useDebounced(wanted, limits.searchDebounceMs);
  const enabled = open && search.length >= shortestSearch && session.can('sim');
  const { data, error, isFetching } = useAnswer({
    ...endpointQuery(endpoints.sim.list, { body: { search, page_size: shownSims } }),
    enabled,
  });
  if (wanted.length < shortestSearch || !session.can('sim')) return { items: [], state: 'idle' };
  if (error) return { items: [], state: 'failed' };
  if (isFetching || search !== wanted) return { items: [], state: 'searching' };
  const rows = data?.data ?? [];
  const go = (path: string) => () => router.history.push(`/${language}/simCard${path}`);
  const found = rows.map<PaletteItem>((row) => ({
    key: `sim-${row.iccid}`,
    icon: 'sim',
    label: <SimLabel row={row} />,
    words: row.iccid,
    run: go(`/${encodeURIComponent(row.iccid)}`),
  }));
  const all: PaletteItem = {
    key: allSimsKey,
    icon: 'search',
    label: t('shell.palette.allMatches', { query: search }),
    words: search,
    run: go(`?search=${encodeURIComponent(search)}`),
  };
  return { items: rows.length > 0 ? [...found, all] : [], state: 'done' };
};

const foundIn = ({ matched = [] }: SimRow, field: SimSearchField): SimMatch | undefined =>
  matched.find((match) => match.field === field);

/** What was found that the label does not show, when nothing was found in what it does. */
const Elsewhere = ({ row }: { row: SimRow }) => {
  const { t } = useTranslation();
  const match = row.matched?.[0];
  if (!match || foundIn(row, 'iccid') || foundIn(row, 'device_name')) return null;
  return (
    <span className={styles['match']}>
      {t(`sim.searched.${match.field}`)} <Marked text={match.text} at={match} />
    </span>
  );
};

const SimLabel = ({ row }: { row: SimRow }) => {
  const { t } = useTranslation();
  return (
    <span className={styles['sim']}>
      <Identifier value={row.iccid} label="ICCID" emphasis found={foundIn(row, 'iccid')} />
      <span className={styles['device']}>
        {row.device_name === null ? null : <Marked text={row.device_name} at={foundIn(row, 'device_name')} />}
      </span>
      <Elsewhere row={row} />
      <span className={styles['state']}>{t(`sim.lifecycle.${row.lifecycle}`)}</span>
    </span>
  );
};
