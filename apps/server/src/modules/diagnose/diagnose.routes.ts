import { endpoints, type Language } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { contentTypes } from '../../platform/files/index.ts';
import { fileRoute, type Route, route, withAsOf } from '../../platform/http/index.ts';
import { type Report, wordedReport } from './diagnose.report.ts';
import { createDiagnoses } from './diagnose.service.ts';
import { drawReport } from './pdf/draw-report.ts';

export interface DiagnoseOptions {
  pool: pg.Pool;
  clock: Clock;
}

export const diagnoseRoutes = (options: DiagnoseOptions): Route[] => {
  const diagnoses = createDiagnoses(options);
  const madeAt = (report: Report) => new Date(report.madeAt);
  return [
    route(endpoints.diagnose.run, async ({ org, query, language }) => {
      const report = await diagnoses.report(org, query.iccid);
      return withAsOf(wordedReport(report, language), madeAt(report));
    }),
    fileRoute(endpoints.diagnose.pdf, async ({ org, query, language }) =>
      pdfOf(await diagnoses.report(org, query.iccid), language),
    ),
    route(endpoints.diagnose.share, async ({ org, principal, actor, body, language }) => {
      const shared = await diagnoses.share({ org, userId: principal.userId, actor, iccid: body.iccid });
      return { ...shared, report: wordedReport(shared.report, language) };
    }),
    route(endpoints.diagnose.listLinks, ({ org, query }) => diagnoses.links(org, query.iccid)),
    route(endpoints.diagnose.withdraw, async ({ org, principal, actor, params }) => {
      await diagnoses.withdraw({ org, userId: principal.userId, actor, id: params.shareId });
      return null;
    }),
    route(endpoints.diagnose.readShared, async ({ params, language }) => {
      const report = await diagnoses.shared(params.linkId);
      return withAsOf(wordedReport(report, language), madeAt(report));
    }),
    fileRoute(endpoints.diagnose.sharedPdf, async ({ params, language }) =>
      pdfOf(await diagnoses.shared(params.linkId), language),
    ),
  ];
};

const pdfOf = async (report: Report, language: Language) => {
  const worded = wordedReport(report, language);
  return {
    fileName: `diagnose-${worded.iccid}-${worded.made_at.slice(0, 10)}.pdf`,
    contentType: contentTypes.pdf,
    content: await drawReport(worded, language),
  };
};
