import { ApiFailure } from './api-failure.ts';

/** Runs work and ignores its failed calls: the API client has already shown the reason. */
export const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
  }
};
