import type { DataThreshold } from '@simcube/contract/autoflow';

/** Paths of the pages of rules, with the language segment. */
export const rulesHref = (language: string): string => `/${language}/autoflow`;
export const editHref = (language: string, id: string): string => `/${language}/workFlowOperation?id=${id}`;
/** The editor with a threshold other than the rule's. */
export const thresholdHref = (language: string, id: string, { unit, amount }: DataThreshold): string =>
  `${editHref(language, id)}&threshold=${encodeURIComponent(`${amount}${unit}`)}`;
export const copyHref = (language: string, id: string): string => `/${language}/workFlowOperation?copy=${id}`;
export const newHref = (language: string): string => `/${language}/workFlowOperation`;
export const ruleHref = (language: string, id: string): string => `/${language}/trigger?id=${id}`;
export const runsHref = (language: string, id: string): string => `${ruleHref(language, id)}&tab=runs`;
export const allRunsHref = (language: string): string => `/${language}/trigger`;
export const templatesHref = (language: string): string => `/${language}/autoflow/templates`;
export const templateHref = (language: string, id: string): string =>
  `${templatesHref(language)}?template=${id}`;
