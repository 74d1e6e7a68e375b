import { useFormat } from '../../lib/format/index.ts';
import { useCycleText } from './use-cycle-text.ts';

/** A cycle, with its instants as a tooltip. */
export const CycleSpan = ({ from, endsAt }: { from: string; endsAt: string }) => {
  const format = useFormat();
  const cycle = useCycleText();
  return <span title={`${format.exact(from)} – ${format.exact(endsAt)}`}>{cycle(from, endsAt)}</span>;
};
