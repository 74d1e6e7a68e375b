import type { Phrases } from '../shape.ts';

export const kit: Phrases['kit'] = {
  copy: '复制 {{what}}',
  table: {
    columns: '列',
    reset: '恢复默认列',
    density: '行高',
    comfortable: '宽松',
    compact: '紧凑',
    selectPage: '选择本页所有行',
    selectRow: '选择 {{row}}',
    resize: '“{{column}}”列的宽度',
    moveUp: '将“{{column}}”前移',
    moveDown: '将“{{column}}”后移',
    actions: '操作',
  },
  pager: {
    label: '分页',
    range: '第 {{from}}–{{to}} 条，共 {{total}} 条',
    rangeOpen: '第 {{from}}–{{to}} 条，共 {{total}}+ 条',
    page: '第 {{page}} 页',
    previous: '上一页',
    next: '下一页',
    size: '{{size}} 条/页',
    sizeLabel: '每页条数',
  },
  bulk: {
    label: '所选行',
    selected_one: '已选 {{shown}} 项',
    selected_other: '已选 {{shown}} 项',
    selectAll: '选择全部 {{total}} 项匹配结果',
    clear: '清除选择',
    escape: 'esc',
  },
  filter: {
    add: '+ 筛选',
    clear: '全部清除',
    remove: '移除筛选“{{filter}}”',
    other: '其他值',
    from: '从',
    to: '到',
  },
};
