import { Skeleton } from 'antd';

/** In the place of what is on its way, as tall as about so many lines of text. */
export const Loading = ({ rows, circle }: { rows: number; circle?: number }) => (
  <div aria-busy="true">
    <Skeleton active avatar={circle ? { size: circle } : false} paragraph={{ rows }} title={false} />
  </div>
);
