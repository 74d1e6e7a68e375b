import type { SimRow } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { appliesTo, type SimOperations } from '../operations/index.ts';

interface RowMenuProps extends Pick<SimOperations, 'allowed' | 'start'> {
  sim: SimRow;
  href: string;
}

/** The actions on one row. */
export const RowMenu = ({ sim, href, allowed, start }: RowMenuProps) => {
  const { t } = useTranslation();
  const { iccid } = sim;
  const copy = useCopy();
  return (
    <ActionMenu
      items={() => [
        {
          key: 'tab',
          label: t('sim.list.openInTab'),
          onClick: () => window.open(href, '_blank', 'noopener'),
        },
        { key: 'copy', label: t('kit.copy', { what: t('sim.fields.iccid') }), onClick: () => copy(iccid) },
        ...allowed.map((name, index) => ({
          key: name,
          label: t(`operations.verbs.${name}`),
          separated: index === 0,
          disabled: !appliesTo(name, sim),
          onClick: () => start(name, { selection: { iccids: [iccid] }, iccid }),
        })),
      ]}
      label={t('sim.list.rowMenu', { iccid })}
    />
  );
};
