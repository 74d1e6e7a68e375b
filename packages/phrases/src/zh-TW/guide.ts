/** The frame around the pages of the user guide. */
export const guide = {
  title: '使用指南',
  contents: '指南目錄',
  onThisPage: '本頁內容',
  inEnglish: '本指南以英文撰寫。',
  missing: '指南中沒有此頁面',
  missingHint: '請從清單中選擇其他頁面。',
  toStart: '前往首頁',
};
