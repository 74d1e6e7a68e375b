import { Link } from '../link/index.ts';
import styles from './segmented-links.module.css';

export interface SegmentedLinksProps {
  label: string;
  links: readonly { label: string; href: string; current: boolean }[];
}

/** Links to pages with different views of the same data. */
export const SegmentedLinks = ({ label, links }: SegmentedLinksProps) => (
  <nav aria-label={label} className={styles['links']}>
    {links.map(({ label: name, href, current }) => (
      <Link aria-current={current ? 'page' : undefined} className={styles['link']} href={href} key={href}>
        {name}
      </Link>
    ))}
  </nav>
);
