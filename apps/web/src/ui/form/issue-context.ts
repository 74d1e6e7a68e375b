import { createContext } from 'react';

export type FormValues = Record<string, unknown>;

/** The error message of a field, given the whole form's values. */
export const IssueContext = createContext<(path: string, values: FormValues) => string | undefined>(
  () => undefined,
);
