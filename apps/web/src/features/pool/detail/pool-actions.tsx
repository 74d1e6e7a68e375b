import { endpoints } from '@simcube/contract';
import type { PoolDetail } from '@simcube/contract/pool';
import type { FileFormat } from '@simcube/contract/task';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { followTask } from '../../../lib/followed-tasks/index.ts';
import { session } from '../../../lib/session/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { mayRename } from '../api/use-rename.ts';
import { collectMembers } from '../members/use-members.ts';
import { mayEnrol } from '../membership/may-enrol.ts';
import { MembershipDialog } from '../membership/membership-dialog.tsx';
import type { MembershipAction } from '../membership/use-membership.ts';

interface PoolActionsProps {
  pool: PoolDetail;
  onRename: () => void;
}

/** The actions on a pool, by the person's permissions and the pool's opt-in mode. */
export const PoolActions = ({ pool, onRename }: PoolActionsProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState<MembershipAction>();
  return (
    <>
      {mayRename() ? <Button onClick={onRename}>{t('pool.actions.rename')}</Button> : null}
      {session.can('sim') ? <ExportMembers pool={pool} /> : null}
      {mayEnrol(pool) ? (
        <>
          <Button disabled={pool.sims === 0} onClick={() => setOpen('exit')}>
            {t('pool.membership.exit.open')}
          </Button>
          <Button onClick={() => setOpen('enrol')} type="primary">
            {t('pool.membership.enrol.open')}
          </Button>
        </>
      ) : null}
      {open ? <MembershipDialog action={open} onClose={() => setOpen(undefined)} pool={pool} /> : null}
    </>
  );
};

/** Exports all SIMs of the pool: a task creates the file, and shows when it is ready. */
const ExportMembers = ({ pool }: { pool: PoolDetail }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const startExport = async (format: FileFormat): Promise<void> => {
    const selection = { iccids: await collectMembers(pool.id, {}) };
    const { data } = await call(endpoints.sim.exportList, { body: { selection, format } });
    followTask(data);
    void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
  };
  return (
    <ExportMenu
      disabled={pool.sims === 0}
      label={t('pool.actions.export')}
      onExport={startExport}
      subject={t('pool.actions.exportWhat')}
    />
  );
};
