import type { ErrorCode } from '@simcube/contract';

/** Why a file was not taken; told between the worker that reads it and the call that brought it. */
export interface FileRefusal {
  code: ErrorCode;
  values?: Record<string, string | number>;
}

export class FileRefused extends Error {
  readonly refusal: FileRefusal;

  constructor(code: ErrorCode, values?: Record<string, string | number>) {
    super(code);
    this.name = 'FileRefused';
    this.refusal = { code, ...(values && { values }) };
  }
}
