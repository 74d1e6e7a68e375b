import type { SimBasic } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { usePageCommands } from '../components/use-sim-commands.ts';
import { type Operation, suits, type Target, useSimOperations, useStart } from '../operations/index.ts';

/** Shown next to "Diagnose"; other operations are in the menu. */
const atHand = ['activate', 'suspend', 'resume', 'reset', 'sendSms'] as const satisfies readonly Operation[];
const inMenu = [
  'renew',
  'topUp',
  'changeBundle',
  'deviceName',
  'notes',
  'tags',
  'transfer',
  'suspendMt',
  'resumeMt',
  'terminate',
] as const satisfies readonly Operation[];

interface HeaderActionsProps {
  iccid: string;
  /** Undefined while loading. */
  basic: SimBasic | undefined;
  onDiagnose: () => void;
  /** The operation in the URL. */
  wanted: Operation | undefined;
  /** Called once it was started. */
  onStart: () => void;
}

/** The operations on this SIM, by its state and the person's permissions; the page shows their effects live. */
export const HeaderActions = ({ iccid, basic, onDiagnose, wanted, onStart }: HeaderActionsProps) => {
  const { t } = useTranslation();
  const operations = useSimOperations();
  const target: Target = { selection: { iccids: [iccid] }, iccid };
  usePageCommands({ iccid, basic, operations, onDiagnose });
  useStart(wanted, (name) => {
    if (operations.allowed.includes(name)) operations.start(name, target);
    onStart();
  });
  const possible = (name: Operation): boolean =>
    basic !== undefined &&
    operations.allowed.includes(name) &&
    suits(name, basic.lifecycle, basic.sms_suspended);
  const next = (['activate', 'resume', 'sendSms'] as const).find(possible);
  const others = inMenu.filter(possible);
  return (
    <>
      <Button onClick={onDiagnose}>{t('simDetail.actions.diagnose')}</Button>
      {atHand.filter(possible).map((name) => (
        <Button
          key={name}
          onClick={() => operations.start(name, target)}
          type={name === next ? 'primary' : 'default'}
        >
          {t(`simDetail.actions.${name}`)}
        </Button>
      ))}
      {others.length > 0 ? (
        <ActionMenu
          items={others.map((name) => ({
            key: name,
            label: t(`simDetail.actions.${name}`),
            onClick: () => operations.start(name, target),
            apart: name === 'deviceName' || name === 'transfer',
            danger: name === 'terminate',
          }))}
          label={t('simDetail.actions.label')}
          size="middle"
        />
      ) : null}
      {operations.dialog}
    </>
  );
};
