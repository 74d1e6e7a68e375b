import styles from './organisation-badge.module.css';

/** A small coloured tile that makes an organisation recognisable; its name is shown next to it. */
export const OrganisationBadge = ({ name, size }: { name: string; size: number }) => (
  <span
    aria-hidden="true"
    className={styles['badge']}
    style={{
      width: size,
      height: size,
      background: `linear-gradient(135deg, var(--accent), ${tintOf(name)})`,
    }}
  />
);

const tints = ['var(--purple)', 'var(--teal)', 'var(--accent-faded)', 'var(--orange)'] as const;

/** The same name always has the same colour. */
const tintOf = (name: string): string => {
  let sum = 7;
  for (const character of name) sum = (sum * 33 + (character.codePointAt(0) ?? 0)) % 65_521;
  return tints[sum % tints.length] ?? tints[0];
};
