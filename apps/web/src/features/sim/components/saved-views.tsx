import { CloseOutlined } from '@ant-design/icons';
import { endpoints, limits } from '@simcube/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, endpointQuery, useAnswer } from '../../../lib/api-client/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Popover } from '../../../ui/popover/index.ts';
import { type SimSearch, searchOfFilter, simFilterOf, simSearch } from '../search.ts';
import styles from './saved-views.module.css';

interface SavedViewsProps {
  search: SimSearch;
  onPick: (search: SimSearch) => void;
}

/** One's own filters under names of one's own, in this organisation. */
export const SavedViews = ({ search, onPick }: SavedViewsProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      content={
        <Views
          onPick={(view) => {
            onPick(view);
            setOpen(false);
          }}
          search={search}
        />
      }
      label={t('simList.views.title')}
      onOpen={setOpen}
      open={open}
      placement="bottomRight"
    >
      <Button className={styles['tool'] ?? ''}>{t('simList.views.title')}</Button>
    </Popover>
  );
};

const schema = endpoints.sim.saveView.body.pick({ name: true });

const Views = ({ search, onPick }: SavedViewsProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data, error, refetch } = useAnswer(endpointQuery(endpoints.sim.listViews));
  const [removing, setRemoving] = useState<string | undefined>();
  const readAgain = () => client.invalidateQueries({ queryKey: [endpoints.sim.listViews.id] });
  const remove = async (viewId: string): Promise<void> => {
    setRemoving(viewId);
    try {
      await call(endpoints.sim.removeView, { params: { viewId } });
    } catch {
      // The API client has already shown why a call failed.
    } finally {
      setRemoving(undefined);
      await readAgain();
    }
  };
  return (
    <div className={styles['views']}>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {data?.data.length === 0 ? <p className={styles['none']}>{t('simList.views.none')}</p> : null}
      {!data && !error ? <p className={styles['none']}>{t('common.states.loading')}</p> : null}
      <ul className={styles['list']}>
        {data?.data.map(({ id, name, filter, outdated }) => (
          <li className={styles['view']} key={id}>
            <button
              className={styles['pick']}
              disabled={outdated}
              onClick={() => onPick(searchOfFilter(filter))}
              title={outdated ? t('simList.views.outdated') : name}
              type="button"
            >
              {name}
            </button>
            <Button
              aria-label={t('simList.views.remove', { name })}
              icon={<CloseOutlined aria-hidden="true" />}
              loading={removing === id}
              onClick={() => void remove(id)}
              size="small"
              type="text"
            />
          </li>
        ))}
      </ul>
      {simSearch.isFiltered(search) ? (
        <div className={styles['save']}>
          <Form
            action={t('simList.views.save')}
            codes={{ 'CB-01-0022': 'name', 'CB-01-0023': 'name' }}
            // Mounted again after each save, so that the next name starts empty.
            key={data?.data.length}
            onSubmit={async ({ name }) => {
              await call(endpoints.sim.saveView, {
                body: { name, filter: simFilterOf(search) },
                announce: false,
              });
              await readAgain();
            }}
            schema={schema}
          >
            <FormField label={t('simList.views.name')} name="name">
              <Input maxLength={limits.savedViews.name} />
            </FormField>
          </Form>
        </div>
      ) : (
        <p className={styles['hint']}>{t('simList.views.hint')}</p>
      )}
    </div>
  );
};
