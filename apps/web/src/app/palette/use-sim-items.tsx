import { endpoints, limits } from '@simcube/contract';
import { lifecycles, type SimMatch, type SimRow, type SimSearchField } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { allowedOperations, appliesTo, type Operation, titleForOne } from '../../features/sim/commands.ts';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useDebounced } from '../../lib/debounce/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import { session } from '../../lib/session/index.ts';
import { Highlight } from '../../ui/highlight/index.ts';
import { Identifier } from '../../ui/identifier/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';
import styles from './command-palette.module.css';
import { type PaletteGroup, type PaletteItem, useGo } from './palette-items.ts';

const shownSims = 7;
/** Whether a SIM can be resumed depends on more than its lifecycle: more are read, to show those that can. */
const readToResume = 50;
/** One letter would match half the inventory; two are enough. */
const shortestSearch = 2;

/** The link to all matches is not counted as a match. */
export const allSimsKey = 'sim-all';

export interface SimItems {
  items: readonly PaletteItem[];
  /** The actions on the SIM, if exactly one was found. */
  actionsOnOne: PaletteGroup | undefined;
  /** How many more SIMs the list finds. */
  more: number;
  state: 'idle' | 'searching' | 'failed' | 'done';
}

const noItems = { items: [], actionsOnOne: undefined, more: 0 };

/**
 * Searches SIMs by identifier, name, note or tag on the server; adds a link to all matches.
 * @param operation to be run on the chosen SIM: limits the results to SIMs that it applies to
 */
export const useSimItems = (typed: string, operation: Operation | undefined): SimItems => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const go = useGo();
  const typedSearch = typed.trim();
  const search = useDebounced(typedSearch, limits.searchDebounceMs);
  const lifecycle = operation && lifecycles.filter((one) => appliesTo(operation, { lifecycle: one }));
  const { data, error, isFetching } = useApiQuery({
    ...endpointQuery(endpoints.sim.list, {
      body: {
        search,
        page_size: operation === 'resume' ? readToResume : shownSims,
        ...(lifecycle ? { lifecycle } : {}),
      },
    }),
    enabled: search.length >= shortestSearch && session.can('sim'),
  });
  if (typedSearch.length < shortestSearch || !session.can('sim')) return { ...noItems, state: 'idle' };
  if (error) return { ...noItems, state: 'failed' };
  if (isFetching || search !== typedSearch) return { ...noItems, state: 'searching' };
  const found = data?.data ?? [];
  const rows = found.filter((row) => !operation || appliesTo(operation, row)).slice(0, shownSims);
  const total = data?.totalCount ?? rows.length;
  const open = (iccid: string, name = operation) =>
    go(`simCard/${encodeURIComponent(iccid)}${name ? `?operation=${name}` : ''}`);
  const matches = rows.map<PaletteItem>((row) => ({
    key: `sim-${row.iccid}`,
    icon: 'sim',
    label: <SimLabel row={row} />,
    searchText: row.iccid,
    run: () => open(row.iccid),
  }));
  const all: PaletteItem = {
    key: allSimsKey,
    icon: 'search',
    label: t('shell.palette.allMatches', {
      query: search,
      count: total,
      shown: `${count(total)}${data?.totalRelation === 'gte' ? '+' : ''}`,
    }),
    searchText: search,
    run: () => go(`simCard?search=${encodeURIComponent(search)}`),
  };
  const [row] = rows;
  const more = row && !operation ? total - rows.length : 0;
  const actionsOnOne =
    row && rows.length === 1 && !operation
      ? {
          key: 'only',
          heading: row.device_name ? `${row.device_name} · ${row.iccid}` : row.iccid,
          items: allowedOperations()
            .filter((name) => appliesTo(name, row))
            .map<PaletteItem>((name) => ({
              key: `only-${name}`,
              icon: 'bolt',
              label: t(titleForOne(name)),
              searchText: name,
              run: () => open(row.iccid, name),
            })),
        }
      : undefined;
  return { items: row && !operation ? [...matches, all] : matches, actionsOnOne, more, state: 'done' };
};

const matchIn = ({ matched = [] }: SimRow, field: SimSearchField): SimMatch | undefined =>
  matched.find((match) => match.field === field);

/** Shows which other field matched, if the label itself has no match. */
const OtherMatch = ({ row }: { row: SimRow }) => {
  const { t } = useTranslation();
  const match = row.matched?.[0];
  if (!match || matchIn(row, 'iccid') || matchIn(row, 'device_name')) return null;
  return (
    <span className={styles['match']}>
      {t(`sim.searched.${match.field}`)} <Highlight text={match.text} range={match} />
    </span>
  );
};

const SimLabel = ({ row }: { row: SimRow }) => {
  const { t } = useTranslation();
  return (
    <span className={styles['sim']}>
      <Identifier value={row.iccid} label="ICCID" emphasis found={matchIn(row, 'iccid')} />
      <span className={styles['device']}>
        {row.device_name === null ? null : (
          <Highlight text={row.device_name} range={matchIn(row, 'device_name')} />
        )}
      </span>
      <OtherMatch row={row} />
      <span className={styles['state']}>{t(`sim.lifecycle.${row.lifecycle}`)}</span>
    </span>
  );
};
