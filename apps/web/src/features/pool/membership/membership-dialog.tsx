import type { Pool } from '@simcube/contract/pool';
import type { SimSelection } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type Order, useOrder } from '../../../lib/orders/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { useLeave } from '../../../ui/unsaved/index.ts';
import { ByFilter } from './by-filter.tsx';
import { ByList } from './by-list.tsx';
import styles from './membership.module.css';
import { MembershipPreview } from './membership-preview.tsx';
import { type Membership, orderMembership, useMembershipPreview } from './use-membership.ts';

interface MembershipDialogProps {
  name: Membership;
  pool: Pool;
  /** The SIMs, if already chosen; otherwise the dialog asks. */
  iccids?: readonly string[] | undefined;
  onStarted?: () => void;
  onClose: () => void;
}

/** Adds SIMs to a pool or removes them: selection, preview, then the order. */
export const MembershipDialog = ({ name, pool, iccids, onStarted, onClose }: MembershipDialogProps) => {
  const { t } = useTranslation();
  const order = useOrder({ onStarted, onClose });
  return (
    <Dialog
      keep={order.sending}
      onClose={onClose}
      open
      title={t(`pool.membership.${name}.title`, { pool: pool.name })}
      width={560}
    >
      <Ask iccids={iccids} name={name} onCancel={onClose} order={order} pool={pool} />
    </Dialog>
  );
};

interface AskProps extends Pick<MembershipDialogProps, 'name' | 'pool' | 'iccids'> {
  order: Order;
  onCancel: () => void;
}

const ways = ['list', 'filter'] as const;

const Ask = ({ name, pool, iccids, order, onCancel }: AskProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const leave = useLeave();
  const [way, setWay] = useState<(typeof ways)[number]>('list');
  const [selection, setSelection] = useState<SimSelection | undefined>(iccids && { iccids: [...iccids] });
  const asked = { name, poolId: pool.id, selection };
  const { data: preview, error, refetch } = useMembershipPreview(asked);
  const changing = selection ? (preview?.changing ?? 0) : 0;
  return (
    <form
      className={styles['content']}
      onSubmit={(event) => {
        event.preventDefault();
        if (changing > 0 && !order.sending) order.submit(asked, (key) => orderMembership(asked, key));
      }}
    >
      <p className={styles['words']}>{t(`pool.membership.${name}.about`, { bundle: pool.bundle.name })}</p>
      {iccids ? null : (
        <>
          <Segmented
            label={t('pool.membership.which')}
            onChange={(next) => {
              setSelection(undefined);
              setWay(next);
            }}
            options={ways.map((value) => ({ value, label: t(`pool.membership.ways.${value}`) }))}
            value={way}
          />
          {way === 'list' ? (
            <ByList disabled={order.sending} onSelection={setSelection} />
          ) : (
            <ByFilter bundle={pool.bundle} disabled={order.sending} onSelection={setSelection} />
          )}
        </>
      )}
      {selection ? (
        <MembershipPreview error={error} name={name} onRetry={() => void refetch()} preview={preview} />
      ) : null}
      {order.refusal ? (
        <p className={styles['wrong']} role="alert">
          {order.refusal}
        </p>
      ) : null}
      <footer className={styles['footer']}>
        <Button onClick={() => leave(onCancel)}>{t('common.actions.cancel')}</Button>
        <Button
          danger={name === 'exit'}
          disabled={changing === 0}
          htmlType="submit"
          loading={order.sending}
          type="primary"
        >
          {changing === 0
            ? t(`pool.membership.${name}.verb`)
            : t(`pool.membership.${name}.action`, { count: changing, shown: count(changing) })}
        </Button>
      </footer>
    </form>
  );
};
