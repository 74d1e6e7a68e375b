/** The frame around the pages of the user guide. */
export const guide = {
  title: '使用指南',
  contents: '指南目录',
  onThisPage: '本页内容',
  inEnglish: '本指南以英文撰写。',
  missing: '指南中没有此页面',
  missingHint: '请从列表中选择其他页面。',
  toStart: '前往首页',
};
