import { Skeleton } from 'antd';

/** Placeholder for loading content, about as tall as `rows` lines of text. */
export const Loading = ({ rows, circle }: { rows: number; circle?: number }) => (
  <div aria-busy="true">
    <Skeleton active avatar={circle ? { size: circle } : false} paragraph={{ rows }} title={false} />
  </div>
);
