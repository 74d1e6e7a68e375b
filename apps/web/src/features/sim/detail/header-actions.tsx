import type { SimBasic } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { usePageCommands } from '../components/use-sim-commands.ts';
import {
  appliesTo,
  type Operation,
  type Target,
  useSimOperations,
  useUrlAction,
} from '../operations/index.ts';

/** Shown next to "Diagnose"; other operations are in the menu. */
const buttonOperations = [
  'activate',
  'suspend',
  'resume',
  'reset',
  'sendSms',
] as const satisfies readonly Operation[];
const menuOperations = [
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
  requested: Operation | undefined;
  /** Called once, before it starts: it may open another tab. */
  onStart: () => void;
}

/** The operations on this SIM, by its state and the person's permissions, the main one last; the page shows their effects live. */
export const HeaderActions = ({ iccid, basic, onDiagnose, requested, onStart }: HeaderActionsProps) => {
  const { t } = useTranslation();
  const operations = useSimOperations();
  const target: Target = { selection: { iccids: [iccid] }, iccid };
  usePageCommands({ iccid, basic, operations, onDiagnose });
  useUrlAction(requested, (name) => {
    onStart();
    if (operations.allowed.includes(name)) operations.start(name, target);
  });
  const isAvailable = (name: Operation): boolean =>
    basic !== undefined && operations.allowed.includes(name) && appliesTo(name, basic);
  const primary = (['activate', 'resume', 'sendSms'] as const).find(isAvailable);
  const buttons = buttonOperations.filter((name) => name !== primary && isAvailable(name));
  const others = menuOperations.filter(isAvailable);
  const button = (name: (typeof buttonOperations)[number]) => (
    <Button
      key={name}
      onClick={() => operations.start(name, target)}
      type={name === primary ? 'primary' : 'default'}
    >
      {t(`simDetail.actions.${name}`)}
    </Button>
  );
  return (
    <>
      <Button onClick={onDiagnose}>{t('simDetail.actions.diagnose')}</Button>
      {buttons.map(button)}
      {others.length > 0 ? (
        <ActionMenu
          items={others.map((name) => ({
            key: name,
            label: t(`simDetail.actions.${name}`),
            onClick: () => operations.start(name, target),
            separated: name === 'deviceName' || name === 'transfer',
            danger: name === 'terminate',
          }))}
          label={t('simDetail.actions.label')}
          size="middle"
        />
      ) : null}
      {primary === undefined ? null : button(primary)}
      {operations.dialog}
    </>
  );
};
