export { combinedFailure } from './combined-failure.ts';
export { type ApiQuery, useApiQuery } from './use-api-query.ts';
export { useFreshQuery } from './use-fresh-query.ts';
export { type LoadMoreQuery, useLoadMore } from './use-load-more.ts';
