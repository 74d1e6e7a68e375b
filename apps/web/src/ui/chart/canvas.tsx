import { useEffect, useEffectEvent, useRef, useState } from 'react';
import styles from './chart.module.css';
import type { ChartOption } from './option.ts';

type Instance = ReturnType<typeof import('./echarts.ts').init>;

export interface CanvasProps {
  option: ChartOption;
  height: number;
  onSelect?: ((index: number) => void) | undefined;
}

/** Draws an option, follows its box's size, and changes what is drawn in place. */
export const Canvas = ({ option, height, onSelect }: CanvasProps) => {
  const box = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Instance>();
  const selected = useEffectEvent((index: number) => onSelect?.(index));

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let disposed = false;
    let made: Instance | undefined;
    const observer = new ResizeObserver(() => made?.resize());
    const draw = async (): Promise<void> => {
      const { init } = await import('./echarts.ts');
      if (disposed) return;
      made = init(element);
      made.on('click', ({ dataIndex }) => selected(dataIndex));
      observer.observe(element);
      setChart(made);
    };
    // Without the drawing the data table beside it still says everything.
    draw().catch((error: unknown) => console.error('chart not drawn', error));
    return () => {
      disposed = true;
      observer.disconnect();
      made?.dispose();
      setChart(undefined);
    };
  }, []);

  useEffect(() => {
    // Series are known by their ids: those that stay move to their new values, others go.
    chart?.setOption(option, { replaceMerge: ['series'] });
  }, [chart, option]);

  return <div aria-hidden="true" className={styles['canvas']} ref={box} style={{ height }} />;
};
