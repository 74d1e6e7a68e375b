import { useRef } from 'react';
import { useHandler } from '../handler/index.ts';
import { rangeOf, type Selection, select } from './selection.ts';

interface Options {
  /** Of the rows on the page, in order. */
  keys: readonly string[];
  selection: Selection;
  onSelection: ((selection: Selection) => void) | undefined;
}

export interface RowSelection {
  /** One row or, with `range`, all from the one that was changed last. */
  mark: (key: string, on: boolean, range: boolean) => void;
  /** From where the last change began to `to`, which is beside `from`: back again gives up what was taken. */
  stretch: (from: string, to: string) => void;
}

/** Rows are selected by one, by ranges and by stretching, as in any list of files. Both stay the same. */
export const useRowSelection = ({ keys, selection, onSelection }: Options): RowSelection => {
  /** Where ranges begin, and where the last one ended. */
  const last = useRef({ anchor: '', tip: '' });
  const mark = useHandler((key: string, on: boolean, range: boolean): void => {
    const anchor = range && keys.includes(last.current.anchor) ? last.current.anchor : key;
    last.current = { anchor, tip: key };
    onSelection?.(select(selection, rangeOf(keys, anchor, key), on));
  });
  const stretch = useHandler((from: string, to: string): void => {
    const anchor = last.current.tip === from ? last.current.anchor : from;
    last.current = { anchor, tip: to };
    const without = select(selection, rangeOf(keys, anchor, from), false);
    onSelection?.(select(without, rangeOf(keys, anchor, to), true));
  });
  return { mark, stretch };
};
