import { useTranslation } from 'react-i18next';
import { BulkAction, BulkMenu } from '../../../ui/bulk-bar/index.ts';
import { phone, useMedia } from '../../../ui/media/index.ts';
import type { Operation, SimOperations, Target } from '../operations/index.ts';

/** Not enough room for the operations side by side; in a low window, such as a zoomed one, two rows would cover the list. */
const cramped = `${phone}, (max-width: 900px) and (max-height: 560px)`;

/** Shown directly in the bar; the others are under "More". */
const primaryOperations: readonly Operation[] = [
  'activate',
  'suspend',
  'resume',
  'reset',
  'tags',
  'sendSms',
  'transfer',
];

interface BulkOperationsProps {
  operations: SimOperations;
  target: Target;
  copy: { label: string; busy: boolean; run: () => void };
}

/** The operations on the selection that the person's permissions allow. */
export const BulkOperations = ({ operations: { allowed, start }, target, copy }: BulkOperationsProps) => {
  const { t } = useTranslation();
  const isCramped = useMedia(cramped);
  const shown = isCramped ? [] : allowed.filter((name) => primaryOperations.includes(name));
  const others = allowed.filter((name) => !shown.includes(name));
  const itemOf = (name: Operation) => ({
    key: name,
    label: t(`operations.verbs.${name}`),
    onClick: () => start(name, target),
  });
  return (
    <>
      {shown.map((name) => (
        <BulkAction key={name} onClick={() => start(name, target)}>
          {t(`operations.verbs.${name}`)}
        </BulkAction>
      ))}
      <BulkMenu
        items={[
          ...others.filter((name) => name !== 'terminate').map(itemOf),
          { key: 'copy', label: copy.label, onClick: copy.run },
          ...(others.includes('terminate')
            ? [
                { key: 'last', type: 'divider' as const },
                { ...itemOf('terminate'), danger: true },
              ]
            : []),
        ]}
        label={shown.length > 0 ? t('operations.more') : t('operations.all')}
      />
    </>
  );
};
