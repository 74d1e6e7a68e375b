import { dateSchema } from '@simcube/contract';
import {
  billMonthSchema,
  formatIban,
  type Payee,
  payeeSchema,
  settlementTerms,
} from '@simcube/contract/finance';
import { currencySchema, isCurrency, minorDigits } from '@simcube/contract/price';
import type { Command } from 'commander';
import type pg from 'pg';
import { z } from 'zod';
import { argumentParser, jsonOption, using } from '../../platform/cli/index.ts';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { operatorActor } from '../audit/index.ts';
import { billingWork, formatAmount, isPublishable, parseAmount, serialOf } from './bill.rules.ts';
import { kindText } from './bills/bill-file.ts';
import { listInstallationBills } from './bills/installation-bills.views.ts';
import { listCommand, paidText } from './bills/list.cli.ts';
import { checkCommand } from './check/check.cli.ts';
import { listCustomers } from './customers.views.ts';
import { type DraftWork, draftMonth } from './drafts/draft.service.ts';
import { forEachCustomer } from './for-each-customer.ts';
import { listHeld } from './publication/held.views.ts';
import { setPayee } from './publication/payee.service.ts';
import type { CreditLimit } from './publication/publication.queries.ts';
import {
  BillRefused,
  currencyOf,
  holdBill,
  payBill,
  publishBill,
  publishMonth,
  topUpDeposit,
} from './publication/publication.service.ts';
import { reissueBill } from './publication/reissue.service.ts';
import { setTerms } from './publication/terms.service.ts';

export interface BillsContext {
  pool: pg.Pool;
  clock: Clock;
  close: () => Promise<void>;
}

interface Commands {
  bills: Command;
  open: () => Promise<BillsContext>;
}

interface MonthOptions {
  month?: string;
  organisation?: string;
}

/** `simcube bills …`: drafts, publication, new versions and payments. */
export const financeCommands = (program: Command, open: () => Promise<BillsContext>): void => {
  const bills = program.command('bills').description('Manage the bills of settlement customers');
  for (const add of [
    addDraft,
    addPublish,
    addHold,
    addHeld,
    listCommand,
    addReissue,
    addPay,
    addTopUp,
    addTerms,
    addPayee,
    checkCommand,
  ]) {
    add({ bills, open });
  }
};

const ofMonth = [
  '--month <month>',
  'YYYY-MM (default: last month)',
  argumentParser(billMonthSchema),
] as const;
const ofCustomer = ['--organisation <code>', 'one settlement customer (default: all)'] as const;
const nameSchema = z.string().trim().min(1).max(200);

const addDraft = ({ bills, open }: Commands): void => {
  bills
    .command('draft')
    .description('Create the drafts of a month, or recompute them')
    .option(...ofMonth)
    .option(...ofCustomer)
    .action((options: MonthOptions) =>
      using(open, (context) =>
        forMonth(context, options, async (work) => {
          const drafts = await draftMonth(context.pool, work);
          return drafts === undefined ? closedText(context, work) : `${drafts} drafts`;
        }),
      ),
    );
};

const addPublish = ({ bills, open }: Commands): void => {
  bills
    .command('publish [bill]')
    .description('Publish the bills of a month, or release a bill that is held')
    .option(...ofMonth)
    .option(...ofCustomer)
    .option('--yes', 'publish the month of all customers', false)
    .action((number: string | undefined, options: MonthOptions & { yes: boolean }) =>
      using(open, async (context) => {
        if (number === undefined) {
          const month = await requirePublishable(context, options);
          return forMonth(context, { ...options, month }, async (work) => {
            const done = await publishMonth(context.pool, work);
            return done ? `${done.published} published, ${done.held} held` : closedText(context, work);
          });
        }
        const status = await publishBill(context.pool, number, byOperator(context));
        console.info(status === 'published' ? `${number}: published` : `${number}: no longer held`);
      }),
    );
};

/**
 * A published bill never changes: neither too early, nor for all customers by an omitted option.
 * @returns the month
 */
const requirePublishable = async (
  { pool, clock }: BillsContext,
  { month, organisation, yes }: MonthOptions & { yes: boolean },
): Promise<string> => {
  const now = clock.now();
  const billedMonth = endedMonth(month, now);
  if (!isPublishable(billedMonth, now))
    throw new BillRefused(`Usage of ${billedMonth} is provisional until the 3rd (${dashboardDays.zone})`);
  if (organisation !== undefined || yes) return billedMonth;
  const customers = await listCustomers(pool);
  throw new BillRefused(
    `Nothing was done (settlement customers: ${customers.length}): add --yes to publish ${billedMonth} for all of them, or name one with --organisation`,
  );
};

/** @throws BillRefused for a month that is not over */
const endedMonth = (month: string | undefined, now: Date): string => {
  const billedMonth = month ?? billingWork(now).month;
  if (billedMonth >= dashboardDays.monthOf(now))
    throw new BillRefused(`${billedMonth} is not over yet (${dashboardDays.zone})`);
  return billedMonth;
};

const forMonth = async (
  { pool, clock }: BillsContext,
  { month, organisation }: MonthOptions,
  work: (of: DraftWork) => Promise<string>,
): Promise<void> => {
  const now = clock.now();
  const billedMonth = endedMonth(month, now);
  const actor = operatorActor();
  const customers = await listCustomers(pool, organisation);
  if (organisation !== undefined && customers.length === 0)
    throw new BillRefused(`${organisation} is not a settlement customer`);
  await forEachCustomer(pool, customers, async (customer) =>
    console.info(
      `${customer.code}\t${billedMonth}\t${await work({ customer, month: billedMonth, now, actor })}`,
    ),
  );
};

/** The outcome for a published month, even if there was nothing to bill. */
const closedText = async ({ pool }: BillsContext, { customer, month, now }: DraftWork): Promise<string> => {
  const bills = await listInstallationBills(pool, { organisation: customer.code, month }, { now, limit: 1 });
  return bills.length > 0 ? 'already published' : 'closed: nothing to bill';
};

const byOperator = ({ clock }: BillsContext) => ({ actor: operatorActor(), at: clock.now() });

const addHold = ({ bills, open }: Commands): void => {
  bills
    .command('hold <bill>')
    .description('Hold a draft, so that it is not published')
    .requiredOption('--reason <text>', 'why', argumentParser(nameSchema))
    .action((number: string, { reason }: { reason: string }) =>
      using(open, async (context) => {
        await holdBill(context.pool, number, { ...byOperator(context), reason });
        console.info(`${number}: held`);
      }),
    );
};

const maxHeld = 1000;

const addHeld = ({ bills, open }: Commands): void => {
  bills
    .command('held')
    .description(`List drafts that are held, and why, at most ${maxHeld}`)
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async ({ pool }) => {
        const drafts = await listHeld(pool, maxHeld);
        if (json) return void console.info(JSON.stringify(drafts));
        for (const { number, organisation, currency, total_minor, reason } of drafts)
          console.info(
            [number, organisation, formatAmount(total_minor, currency), currency, reason].join('\t'),
          );
      }),
    );
};

const addReissue = ({ bills, open }: Commands): void => {
  bills
    .command('reissue <bill>')
    .description('Replace a published bill with a new version')
    .requiredOption('--reason <text>', 'why, shown to the customer', argumentParser(nameSchema))
    .option('--tariff <code>', 'charge by this tariff instead of those of the organisations')
    .action((number: string, { reason, tariff = null }: { reason: string; tariff?: string | null }) =>
      using(open, async (context) => {
        const reissued = await reissueBill(context.pool, number, { ...byOperator(context), reason, tariff });
        const currency = await currencyOf(context.pool, number);
        const [before, after] = [reissued.before, reissued.after].map((minor) =>
          formatAmount(Number(minor), currency),
        );
        console.info(`${number}: version ${reissued.version}, ${before} → ${after} ${currency}`);
        for (const { kind, of, quantity, amountMinor } of reissued.dropped) {
          const what = [kindText('en-US', kind), of].filter(Boolean).join(' ');
          const amount = formatAmount(amountMinor, currency);
          console.warn(
            `no longer charged: ${what}, ${quantity} for ${amount} ${currency}; has the tariff a price for it?`,
          );
        }
      }),
    );
};

const paidOn = [
  '--on <day>',
  'YYYY-MM-DD, a business day (default: today)',
  argumentParser(dateSchema),
] as const;
const reference = [
  '--reference <text>',
  'reference of the bank; the same reference is recorded only once',
  argumentParser(nameSchema),
] as const;

interface PaymentOptions {
  on?: string;
  reference: string;
}

const addPay = ({ bills, open }: Commands): void => {
  bills
    .command('pay <bill> <amount>')
    .description('Record a payment of a published bill; a negative amount reverses one')
    .requiredOption(...reference)
    .option(...paidOn)
    .action((number: string, amount: string, { on, reference }: PaymentOptions) =>
      using(open, async (context) => {
        const payment = paymentOf(context, { amount, on, reference }, await currencyOf(context.pool, number));
        const { status, isNew } = await payBill(context.pool, number, payment);
        const filter = { serial: serialOf(number) };
        const [bill] = await listInstallationBills(context.pool, filter, { now: payment.at, limit: 1 });
        console.info(
          `${number}: ${isNew ? '' : 'already recorded, '}${status}${bill ? `, ${paidText(bill)}` : ''}`,
        );
      }),
    );
};

const addTopUp = ({ bills, open }: Commands): void => {
  bills
    .command('top-up <organisation> <amount>')
    .description('Record a settlement customer’s payment into its deposit; a negative amount is a withdrawal')
    .requiredOption('--currency <code>', 'ISO 4217', argumentParser(currencySchema))
    .requiredOption(...reference)
    .option(...paidOn)
    .action((code: string, amount: string, options: PaymentOptions & { currency: string }) =>
      using(open, async (context) => {
        const [customer] = await listCustomers(context.pool, code);
        if (!customer) throw new BillRefused(`${code} is not a settlement customer`);
        const { currency } = options;
        const payment = { ...paymentOf(context, { ...options, amount }, currency), currency };
        const isNew = await topUpDeposit(context.pool, customer, payment);
        console.info(`${customer.code}: ${isNew ? 'recorded' : 'already recorded'}`);
      }),
    );
};

const paymentOf = (
  context: BillsContext,
  { amount: text, on, reference }: { amount: string; on?: string | undefined; reference: string },
  currency: string,
) => {
  const amount = parseAmount(text, minorDigits(currency));
  if (amount === undefined || amount === 0n) throw new BillRefused(`${text} is not an amount in ${currency}`);
  return { ...byOperator(context), amount, reference, paidOn: on };
};

const addTerms = ({ bills, open }: Commands): void => {
  bills
    .command('terms <organisation> <terms>')
    .description(`Set how an organisation pays: ${settlementTerms.join(', ')}`)
    .option(
      '--credit-limit <amount>',
      'such as 25000 or 25000.00, for its bills in --currency (default: unchanged)',
    )
    .option('--currency <code>', 'of the credit limit (ISO 4217)', argumentParser(currencySchema))
    .option('--no-credit-limit', 'remove the credit limit')
    .action((code: string, text: string, options: CreditOptions) =>
      using(open, async (context) => {
        const terms = z.enum(settlementTerms).safeParse(text);
        if (!terms.success) throw new BillRefused(`Terms must be one of ${settlementTerms.join(', ')}`);
        const order = { ...byOperator(context), terms: terms.data, ...creditLimitOf(options) };
        const limit = await setTerms(context.pool, code, order);
        const limitText = terms.data === 'credit' ? `, ${creditLimitText(limit)}` : '';
        console.info(`${code}: ${terms.data}${limitText}`);
      }),
    );
};

interface CreditOptions {
  creditLimit?: string | false;
  currency?: string;
}

const creditLimitOf = ({ creditLimit: text, currency }: CreditOptions) => {
  if (typeof text !== 'string') {
    if (currency !== undefined) throw new BillRefused('--currency is that of a credit limit');
    return text === false ? { creditLimit: null } : {};
  }
  if (currency === undefined || !isCurrency(currency))
    throw new BillRefused('A credit limit needs its currency, such as --credit-limit 25000 --currency EUR');
  const amount = parseAmount(text, minorDigits(currency));
  if (amount === undefined || amount < 0n) throw new BillRefused(`${text} is not an amount in ${currency}`);
  return { creditLimit: Number(amount), creditCurrency: currency };
};

const creditLimitText = (limit: CreditLimit | null): string => {
  if (limit === null) return 'no credit limit';
  const { minor, currency } = limit;
  return currency === null
    ? `credit limit ${minor} in minor units of each currency`
    : `credit limit ${formatAmount(minor, currency)} ${currency}`;
};

const payeeOptions = [
  ['name', 'your company’s name'],
  ['address', 'its address, on one line'],
  ['country', 'its country (ISO 3166-1 alpha-2)'],
  ['registration', 'its company registration number'],
  ['iban', 'account to which bills are paid'],
  ['bic', 'BIC of its bank'],
  ['bank', 'name of the bank'],
] as const;

const addPayee = ({ bills, open }: Commands): void => {
  const command = bills.command('payee').description('Set the payee that bills show');
  for (const [name, description] of payeeOptions)
    command.requiredOption(`--${name} <text>`, description, argumentParser(payeeSchema.shape[name]));
  command.action((payee: Payee) =>
    using(open, async (context) => {
      await setPayee(context.pool, payee, byOperator(context));
      console.info(`Bills are paid to ${payee.name}, ${formatIban(payee.iban)}`);
    }),
  );
};
