import type { Phrases } from '../shape.ts';

export const kit: Phrases['kit'] = {
  copy: '複製 {{what}}',
  table: {
    columns: '欄位',
    reset: '恢復預設欄位',
    density: '列高',
    comfortable: '寬鬆',
    compact: '緊湊',
    selectPage: '選取本頁所有列',
    selectRow: '選取 {{row}}',
    resize: '「{{column}}」欄的寬度',
    moveUp: '將「{{column}}」前移',
    moveDown: '將「{{column}}」後移',
    actions: '操作',
  },
  pager: {
    label: '分頁',
    range: '第 {{from}}–{{to}} 筆，共 {{total}} 筆',
    rangeOpen: '第 {{from}}–{{to}} 筆，共 {{total}}+ 筆',
    page: '第 {{page}} 頁',
    previous: '上一頁',
    next: '下一頁',
    size: '{{size}} 筆/頁',
    sizeLabel: '每頁筆數',
  },
  bulk: {
    label: '所選列',
    selected_one: '已選 {{shown}} 項',
    selected_other: '已選 {{shown}} 項',
    selectAll: '選取全部 {{total}} 項符合結果',
    clear: '清除選取',
    escape: 'esc',
  },
  filter: {
    add: '+ 篩選',
    clear: '全部清除',
    remove: '移除篩選「{{filter}}」',
    other: '其他值',
    from: '從',
    to: '到',
  },
};
