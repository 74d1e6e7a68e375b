import type { PoolMember } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import styles from './share-bar.module.css';

interface ShareBarProps {
  member: Pick<PoolMember, 'used_bytes' | 'above_bytes'>;
  /** The amount of a full bar. */
  maxBytes: number;
}

/** The amount of a full bar next to these members: no usage and no contribution is longer. */
export const longestBar = (members: readonly Pick<PoolMember, 'used_bytes' | 'own_bytes'>[]): number =>
  Math.max(0, ...members.flatMap(({ used_bytes: used, own_bytes: own }) => [used, own]));

/** A member's usage: within its own contribution, and above it. */
export const ShareBar = ({ member: { used_bytes: used, above_bytes: above }, maxBytes }: ShareBarProps) => {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const width = (amount: number) => ({ inlineSize: maxBytes > 0 ? `${(amount / maxBytes) * 100}%` : 0 });
  const label = t('pool.rank.parts', { own: bytes(used - above).text, above: bytes(above).text });
  return (
    <span aria-label={label} className={styles['track']} role="img" title={label}>
      <span style={width(used - above)} />
      <span data-above="true" style={width(above)} />
    </span>
  );
};
