import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../../lib/api-client/index.ts';
import type { Problems } from './problems.ts';

interface Options<Values extends object> {
  initial: Values;
  /** Errors that the person can fix before anything is sent. */
  validate: (values: Values) => Problems<keyof Values & string>;
  /** Sends the form; null on success, otherwise the errors to show. */
  send: (values: Values) => Promise<Problems<keyof Values & string> | null>;
  /** Assigns the server's errors to fields. */
  mapFailure: (failure: ApiFailure) => Problems<keyof Values & string>;
}

export interface PublicForm<Values extends object> {
  values: Values;
  change: (next: Partial<Values>) => void;
  problems: Problems<keyof Values & string>;
  setProblems: (problems: Problems<keyof Values & string>) => void;
  sending: boolean;
  submit: (event: FormEvent) => void;
  formRef: RefObject<HTMLFormElement | null>;
}

/** For the forms of the sign-in pages, which load before antd and therefore do not use it. */
export const usePublicForm = <Values extends object>({
  initial,
  validate,
  send,
  mapFailure,
}: Options<Values>): PublicForm<Values> => {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Problems<keyof Values & string>>({});
  const [sending, setSending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);

  // Focuses the first field with an error, so that keyboard and screen reader users continue there.
  useEffect(() => {
    if (Object.keys(problems).length > 0) {
      formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [problems]);

  const submitValues = async (): Promise<void> => {
    setSending(true);
    try {
      setProblems((await send(values)) ?? {});
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setProblems(mapFailure(error));
    } finally {
      setSending(false);
    }
  };

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sending) return;
    const problemsFound = validate(values);
    setProblems(problemsFound);
    if (Object.keys(problemsFound).length === 0) void submitValues();
  };

  const change = (next: Partial<Values>): void => setValues((before) => ({ ...before, ...next }));

  return { values, change, problems, setProblems, sending, submit, formRef };
};
