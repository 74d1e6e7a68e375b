import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * Also refetches queries whose first request is still running. The library would accept that response as the new one, but it may
 * predate the change, and nothing would correct it.
 */
export class RefetchingQueryClient extends QueryClient {
  override async invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const pending = this.getQueryCache()
      .findAll(filters ?? {})
      .filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined);
    const refetches = pending.map(async (query) => {
      await query.promise?.catch(() => undefined);
      const refetchType = filters?.refetchType ?? 'active';
      await super.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType }, options);
    });
    await Promise.all([super.invalidateQueries(filters, options), ...refetches]);
  }
}
