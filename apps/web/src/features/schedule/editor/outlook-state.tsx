import type { ScheduleForecast } from '@simcube/contract/schedule';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';

/** The forecast of a draft, and why there is none. */
export interface Outlook {
  /** The draft has times to request a forecast for. */
  hasTimes: boolean;
  forecast: ScheduleForecast | undefined;
  /** Why the SIMs could not be counted, or the forecast not be made. */
  error: Error | null;
  retry: () => void;
}

/** Shown in a card while its forecast is missing: it is loading, or failed. */
export const OutlookState = ({ outlook, rows }: { outlook: Outlook; rows: number }) => {
  const { hasTimes, forecast, error, retry } = outlook;
  if (!hasTimes || forecast) return null;
  return error ? <Failure error={error} onRetry={retry} small /> : <Loading rows={rows} />;
};
