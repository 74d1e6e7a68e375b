import { ApiFailure } from './api-failure.ts';

/** Work whose failed calls need nothing more: the API client has shown why they failed. */
export const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
  }
};
