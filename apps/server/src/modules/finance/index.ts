import type { ModuleParts } from '../../platform/module/index.ts';
import { type FinanceOptions, financeJobs } from './finance.jobs.ts';
import { type FinanceRouteOptions, financeRoutes } from './finance.routes.ts';

export { billNumber, formatAmount } from './bill.rules.ts';
export { kindText } from './bills/bill-file.ts';
export { pastCosts } from './bills/cycle-costs.service.ts';
export { awaitsBills, listMonthBills } from './bills/month.views.ts';
export { checkBill } from './check/check.service.ts';
export { type Customer, listCustomers } from './customers.views.ts';
export { draftMonth } from './drafts/draft.service.ts';
export { computeDueEstimates } from './estimate/estimate.service.ts';
export { financeCommands } from './finance.cli.ts';
export { billPublished } from './finance.events.ts';
export { computeDueOffers } from './offers/offers.service.ts';
export { setPayee } from './publication/payee.service.ts';
export { payBill, publishMonth, topUpDeposit } from './publication/publication.service.ts';
export { reissueBill } from './publication/reissue.service.ts';
export { setTerms } from './publication/terms.service.ts';
export { hasUnbilledCharges } from './publication/unbilled.service.ts';
export { countUnprocessed } from './publication/unprocessed.views.ts';
export { watchUnpublished } from './publication/watch-unpublished.ts';

export const financeModule = (options: FinanceOptions & FinanceRouteOptions) =>
  ({ routes: financeRoutes(options), jobs: financeJobs(options) }) satisfies ModuleParts;
