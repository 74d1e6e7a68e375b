import { autoflowConsumers } from './autoflow.consumers.ts';
import { autoflowJobs } from './autoflow.jobs.ts';
import { autoflowRoutes, type RouteOptions } from './autoflow.routes.ts';
import type { RunOptions } from './replay/run.service.ts';

export { failUndelivered } from './actions/undelivered.queries.ts';
export { rulesFired } from './autoflow.events.ts';
export { armRules } from './engine/arming.service.ts';
export { createRules } from './rules/rules.service.ts';
export { listRulesWithTarget } from './rules/rules.views.ts';
export { removeFromLists } from './scopes/lists.queries.ts';
export { createTemplates } from './templates/templates.service.ts';

/** Rules that notify people and programs, or change SIMs, when something happens. */
export const autoflowModule = (options: RouteOptions & RunOptions) => ({
  routes: autoflowRoutes(options),
  jobs: autoflowJobs(options),
  consumers: autoflowConsumers(options),
});
