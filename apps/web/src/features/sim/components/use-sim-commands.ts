import type { SimBasic } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useOfferedCommands } from '../../../lib/commands/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { appliesTo, type SimOperations, type Target, titleForOne } from '../operations/index.ts';

interface ListCommandsOptions {
  operations: SimOperations;
  target: Target;
  selected: number;
  copy: { label: string; run: () => void };
}

/** The palette's commands for the selected SIMs; without a selection, the list's own actions. */
export const useListCommands = ({ operations, target, selected, copy }: ListCommandsOptions): void => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { allowed, start, uploadInfo, transferByFile } = operations;
  const selectionCommands = [
    ...allowed.map((name) => ({
      key: name,
      label: t(`operations.titles.${name}`),
      run: () => start(name, target),
    })),
    { key: 'copy', label: copy.label, run: copy.run },
  ];
  const listCommands = [
    ...(allowed.includes('export')
      ? [{ key: 'export', label: t('operations.titles.export'), run: () => start('export', target) }]
      : []),
    ...(allowed.includes('transfer')
      ? [
          { key: 'uploadInfo', label: t('operations.titles.updateInfo'), run: uploadInfo },
          { key: 'transferByFile', label: t('operations.transferByFile'), run: transferByFile },
        ]
      : []),
  ];
  useOfferedCommands({
    heading:
      selected > 0 ? t('kit.bulk.selected', { count: selected, shown: count(selected) }) : t('sim.title'),
    commands: selected > 0 ? selectionCommands : listCommands,
  });
};

interface PageCommandsOptions {
  iccid: string;
  basic: SimBasic | undefined;
  operations: SimOperations;
  onDiagnose: () => void;
}

/** The palette's commands for the page's SIM, by its state and the person's permissions. */
export const usePageCommands = ({ iccid, basic, operations, onDiagnose }: PageCommandsOptions): void => {
  const { t } = useTranslation();
  const { allowed, start } = operations;
  const target = { selection: { iccids: [iccid] }, iccid };
  useOfferedCommands({
    heading: basic?.device_name ? `${basic.device_name} · ${iccid}` : iccid,
    commands: basic
      ? [
          { key: 'diagnose', label: t('simDetail.actions.diagnose'), run: onDiagnose },
          ...allowed
            .filter((name) => appliesTo(name, basic))
            .map((name) => ({
              key: name,
              label: t(titleForOne(name)),
              run: () => start(name, target),
            })),
        ]
      : [],
  });
};
