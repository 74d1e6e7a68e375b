import type { SimMatch } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { Pill } from '../../../ui/card/index.ts';
import { Highlight } from '../../../ui/highlight/index.ts';
import styles from './tags.module.css';

interface TagsProps {
  tags: readonly string[];
  limit?: number;
  /** Search matches in the tags. */
  found?: readonly SimMatch[];
}

/** A SIM's tags; those beyond the limit are counted, and listed on hover. */
export const Tags = ({ tags, limit = tags.length, found = [] }: TagsProps) => {
  const { t } = useTranslation();
  const rest = tags.slice(limit);
  return (
    <span className={styles['tags']} title={rest.length > 0 ? tags.join(', ') : undefined}>
      {tags.slice(0, limit).map((tag) => (
        <Pill key={tag}>
          <Highlight range={found.find(({ text }) => text === tag)} text={tag} />
        </Pill>
      ))}
      {rest.length > 0 ? (
        <span className={styles['more']}>{t('sim.list.moreTags', { count: rest.length })}</span>
      ) : null}
    </span>
  );
};
