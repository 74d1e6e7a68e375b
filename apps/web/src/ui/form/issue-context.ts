import { createContext } from 'react';

export type FormValues = Record<string, unknown>;

/** What is wrong at a field, in words, given the whole form's values. */
export const IssueContext = createContext<(path: string, values: FormValues) => string | undefined>(
  () => undefined,
);
