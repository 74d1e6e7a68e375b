import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { type Selection, selectedCount } from '../../../ui/data-table/index.ts';
import { collectIccids, maxCopied } from '../api/collect-iccids.ts';
import type { SimSearch } from '../search.ts';

interface CopyIccidsOptions {
  selection: Selection;
  search: SimSearch;
  total: number;
  relation: 'eq' | 'gte';
}

/** Copies the selected ICCIDs to the clipboard, one per line. */
export const useCopyIccids = ({ selection, search, total, relation }: CopyIccidsOptions) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const count = selectedCount(selection, total);
  const tooMany = count > maxCopied || (selection.kind === 'all' && relation === 'gte');

  const copy = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      const iccids = await collectIccids(selection, search);
      await navigator.clipboard.writeText(iccids.join('\n'));
      toast.success(t('sim.bulk.copied', { count: iccids.length, shown: format.count(iccids.length) }));
    } catch (error) {
      // The API client has already shown failed calls.
      if (!(error instanceof ApiFailure)) toast.error(t('sim.bulk.copyFailed'));
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    run: () => void copy(),
    label: busy
      ? t('sim.bulk.copying')
      : tooMany
        ? t('sim.bulk.copyFirst', { shown: format.count(maxCopied) })
        : t('sim.bulk.copyIccids'),
  };
};
