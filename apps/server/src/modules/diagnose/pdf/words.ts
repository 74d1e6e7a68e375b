import type { Language } from '@simcube/contract';
import type { Diagnose, Light } from '@simcube/contract/diagnose';
import { phrase } from '@simcube/phrases';

/** All texts on the page. */
export interface Words {
  title: string;
  madeAt: string;
  iccid: string;
  facts: readonly { label: string; value: string }[];
  overall: Row;
  rows: readonly Row[];
  note: string;
}

export interface Row {
  light: Light;
  lightWord: string;
  name: string;
  sentence: string;
  advice: string | null;
}

export const wordsOf = (
  report: Diagnose,
  { language, madeAt }: { language: Language; madeAt: string },
): Words => ({
  title: phrase(language, 'diagnoseReport.title'),
  madeAt: phrase(language, 'diagnoseReport.madeAt', { at: madeAt }),
  iccid: report.iccid,
  facts: [
    {
      label: phrase(language, 'diagnoseReport.device'),
      value: report.device_name ?? phrase(language, 'diagnoseReport.noName'),
    },
    { label: phrase(language, 'diagnoseReport.organisation'), value: report.organisation },
  ],
  overall: {
    light: report.overall,
    lightWord: phrase(language, `diagnose.lights.${report.overall}`),
    name: '',
    sentence: phrase(language, `diagnose.overall.${report.overall}`),
    advice: null,
  },
  rows: report.checks.map(({ check, light, sentence, advice }) => ({
    light,
    lightWord: phrase(language, `diagnose.lights.${light}`),
    name: phrase(language, `diagnose.checks.${check}`),
    sentence,
    advice: advice === null ? null : phrase(language, 'diagnoseReport.advised', { advice }),
  })),
  note: phrase(language, 'diagnoseReport.note'),
});
