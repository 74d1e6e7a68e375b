import type { DeliveryState, TargetState } from '@simcube/contract/notify';
import { useTranslation } from 'react-i18next';
import { Status, type Tone } from '../../../ui/status/index.ts';

const deliveryTones: Record<DeliveryState, Tone> = { waiting: 'purple', delivered: 'teal', failed: 'red' };
const targetTones: Record<TargetState, Tone> = { active: 'teal', failing: 'orange', paused: 'red' };

export const DeliveryStatus = ({ state }: { state: DeliveryState }) => {
  const { t } = useTranslation();
  return (
    <Status live={state === 'waiting'} tone={deliveryTones[state]}>
      {t(`notify.deliveryStates.${state}`)}
    </Status>
  );
};

export const TargetStatus = ({ state }: { state: TargetState }) => {
  const { t } = useTranslation();
  return <Status tone={targetTones[state]}>{t(`notify.targetStates.${state}`)}</Status>;
};
