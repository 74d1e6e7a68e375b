import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

export interface CardProps {
  title?: ReactNode;
  /** Next to the title: legend chips, a state. */
  aside?: ReactNode;
  /** At the right end of the title line: unit, time of the data, a switch. */
  extra?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A bordered surface, labelled by its title for screen readers. */
export const Card = ({ title, aside, extra, className, children }: CardProps) => {
  const id = useId();
  return (
    <section
      className={className ? `${styles['card']} ${className}` : styles['card']}
      {...(title ? { 'aria-labelledby': id } : {})}
    >
      {title ? (
        <header className={styles['header']}>
          <h2 className={styles['title']} id={id}>
            {title}
          </h2>
          {aside ? <div className={styles['aside']}>{aside}</div> : null}
          {extra ? <div className={styles['extra']}>{extra}</div> : null}
        </header>
      ) : null}
      {children}
    </section>
  );
};
