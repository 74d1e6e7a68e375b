import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * Reads again what is being read for the first time, too. The library takes an answer that is under way for the new one; it
 * may be from before the news, and nothing would come after it.
 */
export class NewsQueryClient extends QueryClient {
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const first = this.getQueryCache()
      .findAll(filters ?? {})
      .filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined);
    const again = first.map(async (query) => {
      await query.promise?.catch(() => undefined);
      const refetchType = filters?.refetchType ?? 'active';
      await super.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType }, options);
    });
    await Promise.all([super.invalidateQueries(filters, options), ...again]);
  }
}
