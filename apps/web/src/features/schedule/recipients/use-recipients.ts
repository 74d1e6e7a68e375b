import { type Lifecycle, type SimSelection, simFilterSchema } from '@simcube/contract/sim';
import { useState } from 'react';
import { useListedSims } from './use-listed-sims.ts';

export const recipientMethods = ['list', 'filter', 'file'] as const;
type RecipientMethod = (typeof recipientMethods)[number];

interface InitialRecipients {
  /** A selection made elsewhere, such as in the list of SIMs, until it is discarded. */
  preset?: SimSelection | undefined;
  /** Listed ICCIDs. */
  iccids?: readonly string[];
}

/** The recipients being chosen; what was entered by one method is kept while another is shown. A file replaces the list. */
export const useRecipients = ({ preset: initialPreset, iccids = [] }: InitialRecipients) => {
  const [preset, setPreset] = useState(initialPreset);
  const [method, setMethod] = useState<RecipientMethod>(initialPreset ? 'filter' : 'list');
  const [text, setText] = useState(iccids.join('\n'));
  const [lifecycle, setLifecycle] = useState<Lifecycle[]>(['active']);
  const [tags, setTags] = useState<string[]>([]);
  const listed = useListedSims(method === 'filter' ? '' : text);
  const selection = (): SimSelection | undefined => {
    if (method !== 'filter') return listed.iccids?.length ? { iccids: [...listed.iccids] } : undefined;
    if (preset) return preset;
    // A wider selection must not remain while a tag is corrected.
    if (!simFilterSchema.shape.tags.safeParse(tags).success) return undefined;
    return {
      filter: { ...(lifecycle.length > 0 ? { lifecycle } : {}), ...(tags.length > 0 ? { tags } : {}) },
    };
  };
  const chosen = selection();
  return {
    method,
    setMethod,
    list: {
      text,
      setText,
      listed,
      read: (identifiers: readonly string[]): void => {
        setText(identifiers.join('\n'));
        setMethod('list');
      },
    },
    filter: {
      preset,
      discardPreset: () => setPreset(undefined),
      lifecycle,
      setLifecycle,
      tags,
      setTags,
    },
    /** Undefined until SIMs are chosen and found. */
    selection: chosen,
    /** What was entered is not a selection yet: it is being looked up, or must be corrected. */
    isIncomplete: chosen === undefined && (method === 'filter' || listed.entered > 0),
  };
};

export type Recipients = ReturnType<typeof useRecipients>;
