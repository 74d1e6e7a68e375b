import type { Phrases } from '../shape.ts';

export const kit: Phrases['kit'] = {
  copy: 'Copiar {{what}}',
  table: {
    columns: 'Columnas',
    reset: 'Restablecer columnas',
    density: 'Altura de fila',
    comfortable: 'Amplia',
    compact: 'Compacta',
    selectPage: 'Seleccionar todas las filas de esta página',
    selectRow: 'Seleccionar {{row}}',
    resize: 'Ancho de la columna {{column}}',
    moveUp: 'Mover {{column}} hacia el principio',
    moveDown: 'Mover {{column}} hacia el final',
    actions: 'Acciones',
  },
  pager: {
    label: 'Páginas',
    range: '{{from}}–{{to}} de {{total}}',
    rangeOpen: '{{from}}–{{to}} de {{total}}+',
    page: 'Página {{page}}',
    previous: 'Página anterior',
    next: 'Página siguiente',
    size: '{{size}} / página',
    sizeLabel: 'Filas por página',
  },
  bulk: {
    label: 'Filas seleccionadas',
    selected_one: '{{shown}} seleccionada',
    selected_other: '{{shown}} seleccionadas',
    selectAll: 'seleccionar las {{total}} que coinciden',
    clear: 'Quitar la selección',
    escape: 'esc',
  },
  filter: {
    add: '+ Filtro',
    clear: 'Quitar todo',
    remove: 'Quitar el filtro {{filter}}',
    other: 'Otro valor',
    from: 'Desde',
    to: 'Hasta',
  },
};
