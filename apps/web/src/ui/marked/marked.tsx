import { type Place, placeOf } from '@simcube/contract';
import { createContext, useContext } from 'react';
import styles from './marked.module.css';

/** A text with the part that a search found marked. */
export const Marked = ({ text, at }: { text: string; at: Place | undefined }) =>
  at ? (
    <>
      {text.slice(0, at.from)}
      <mark className={styles['mark']}>{text.slice(at.from, at.to)}</mark>
      {text.slice(at.to)}
    </>
  ) : (
    text
  );

/** What the list is searched for, around its rows. */
export const SearchContext = createContext('');

/** A text of a list's row that its search looks through: what it finds there is marked. */
export const Found = ({ text }: { text: string }) => (
  <Marked at={placeOf(text, useContext(SearchContext))} text={text} />
);
