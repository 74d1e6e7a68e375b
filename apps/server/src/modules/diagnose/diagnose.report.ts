import type { Language } from '@simcube/contract';
import { type Diagnose, diagnoseSchema } from '@simcube/contract/diagnose';
import { z } from 'zod';
import { diagnose, overallOf } from './diagnose.rules.ts';
import { wordingOf } from './diagnose.wording.ts';
import type { DiagnoseFacts } from './diagnose-facts.rules.ts';
import { checkOf, type Finding, type FindingName, findings, lightOf } from './diagnose-findings.rules.ts';

const findingNames = Object.keys(findings) as [FindingName, ...FindingName[]];

/** A report independent of language, as stored for a public link. Lights follow from the findings. */
export const reportSchema = z.object({
  iccid: z.string(),
  deviceName: z.string().nullable(),
  organisation: z.string(),
  madeAt: z.iso.datetime(),
  findings: z.array(
    z.object({
      finding: z.enum(findingNames),
      facts: diagnoseSchema.shape.checks.element.shape.facts,
    }),
  ),
});
export type Report = z.output<typeof reportSchema>;

export const reportOf = (facts: DiagnoseFacts): Report => ({
  iccid: facts.iccid,
  deviceName: facts.deviceName,
  organisation: facts.organisation,
  madeAt: facts.now.toISOString(),
  findings: diagnose(facts).map(({ finding, facts: known }: Finding) => ({ finding, facts: { ...known } })),
});

/** The report in the reader's language, as responses contain it. */
export const wordedReport = (report: Report, language: Language): Diagnose => {
  const word = wordingOf(language);
  return {
    iccid: report.iccid,
    device_name: report.deviceName,
    organisation: report.organisation,
    made_at: report.madeAt,
    overall: overallOf(report.findings),
    checks: report.findings.map(({ finding, facts }) => ({
      check: checkOf(finding),
      light: lightOf(finding),
      finding,
      facts,
      ...word({ finding, facts }),
    })),
  };
};
