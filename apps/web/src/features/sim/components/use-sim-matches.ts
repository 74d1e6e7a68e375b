import { type SimRow, simSearchFields } from '@simcube/contract/sim';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldMatch, Matches } from '../../../ui/data-table/index.ts';

const noMatches: readonly FieldMatch[] = [];
const matchesOf = ({ matched }: SimRow): readonly FieldMatch[] => matched ?? noMatches;

/** The search matches that the server reports in its rows, and the fields' names. */
export const useSimMatches = (): Matches<SimRow> => {
  const { t } = useTranslation();
  return useMemo(
    () => ({
      of: matchesOf,
      labels: Object.fromEntries(simSearchFields.map((field) => [field, t(`sim.searched.${field}`)])),
    }),
    [t],
  );
};
