import type { ErrorCode } from '@simcube/contract';

/** Why a file was refused; passed from the worker that reads it to the call that uploaded it. */
export interface FileRefusal {
  code: ErrorCode;
  values?: Record<string, string | number>;
  /** The first row, if others have more cells: it may be a title instead of the heading. */
  heading?: readonly string[];
}

export class FileRefused extends Error {
  readonly refusal: FileRefusal;

  constructor(code: ErrorCode, values?: Record<string, string | number>, heading?: readonly string[]) {
    super(code);
    this.name = 'FileRefused';
    this.refusal = { code, ...(values && { values }), ...(heading && { heading }) };
  }
}
