import type { Route } from '../http/index.ts';
import type { JobHandler } from '../jobs/index.ts';
import type { Consumer } from '../outbox/index.ts';

/** What a module adds to the product; parts that it does not have are omitted. */
export interface ModuleParts {
  routes?: readonly Route[];
  jobs?: readonly JobHandler[];
  consumers?: readonly Consumer[];
}
