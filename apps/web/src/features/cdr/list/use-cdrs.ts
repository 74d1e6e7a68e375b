import { endpoints } from '@simcube/contract';
import { type Cdr, type CdrFilter, type CdrId, countNaturalDays } from '@simcube/contract/cdr';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { now } from '../../../lib/time/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { cdrFilterOf, hasDates, listIsMissing } from '../filter.ts';
import type { CdrSearch } from '../search.ts';

const cdr = endpoints.cdr;
const refreshMs = 60_000;
/** Minimum interval for refetching both when records arrived between the two responses. */
const minRefetchMs = 5_000;
/** For longer spans the curve is by day. */
const daysByHour = 2;

export const ownPartner = () => ({ partnerCode: session.get('partnerCode') ?? '' });

/** Empty response for a list of SIMs that this tab does not have. */
const noRecords: ApiResponse<Cdr[]> = {
  data: [],
  totalCount: null,
  totalRelation: 'eq',
  nextCursor: null,
  asOf: null,
  traceId: null,
};

/**
 * Records and their sums up to one moment. The moment advances every minute while the newest records are on screen and none is
 * open, so that what is being read does not move.
 */
export const useCdrs = (search: CdrSearch) => {
  const at = useCurrentTime(search.page === undefined && search.record === undefined, search.record);
  const filter = cdrFilterOf(search, at);
  const params = ownPartner();
  const enabled = !listIsMissing(search);
  const subject = JSON.stringify(search);
  const rows = usePageQuery(
    search,
    (page) => ({ ...endpointQuery(cdr.list, { params, body: { ...filter, ...page } }), enabled }),
    subject,
  );
  const sums = useApiQuery(
    {
      ...endpointQuery(cdr.sums, { params, body: { ...filter, group_by: [curveOf(filter)] } }),
      placeholderData: keepPreviousData,
      enabled,
    },
    subject,
  );
  useConsistentSums(rows, sums);
  return {
    rows: enabled ? rows : { ...rows, data: noRecords },
    sums,
    filter,
    /** The period ends earlier than its name says ("last 24 hours"). */
    isPast: !hasDates(search) && now() - at.getTime() > 2 * refreshMs,
  };
};

export const curveOf = ({ from = '', to = '' }: CdrFilter): 'hour' | 'day' =>
  countNaturalDays(new Date(from), new Date(to)) <= daysByHour ? 'hour' : 'day';

export const useCdr = (recordId: CdrId) => useApiQuery(endpointQuery(cdr.detail, { params: { recordId } }));

/** A record requested separately, in the form of a list's response. */
export const useLinkedCdr = (recordId: CdrId | undefined) =>
  useApiQuery({
    ...endpointQuery(cdr.detail, { params: { recordId: recordId ?? '' } }),
    select: (response: ApiResponse<Cdr>) => ({ ...response, data: [response.data] }),
    enabled: recordId !== undefined,
  });

/**
 * The current time, updated every minute while `isAdvancing`, and if it is older than that when this begins again. For a link to a
 * record, it starts just after that record's end, since later records have moved it down.
 */
export const useCurrentTime = (isAdvancing: boolean, linked?: CdrId): Date => {
  const [at, setAt] = useState(() => (linked === undefined ? new Date(now()) : justAfter(linked)));
  const [wasAdvancing, setWasAdvancing] = useState(isAdvancing);
  if (isAdvancing !== wasAdvancing) {
    setWasAdvancing(isAdvancing);
    if (isAdvancing && now() - at.getTime() > refreshMs) setAt(new Date(now()));
  }
  useEffect(() => {
    if (!isAdvancing) return;
    const timer = setInterval(() => setAt(new Date(now())), refreshMs);
    return () => clearInterval(timer);
  }, [isAdvancing]);
  return at;
};

/** The first millisecond after the end of a record, which its id contains in microseconds. */
const justAfter = (record: CdrId): Date => new Date(Math.floor(Number(record.split('-')[1]) / 1000) + 1);

type Rows = ReturnType<typeof useCdrs>['rows'];
type Sums = ReturnType<typeof useCdrs>['sums'];

/** A late record may be in one response and not yet in the other. */
const useConsistentSums = (rows: Rows, sums: Sums): void => {
  const client = useQueryClient();
  const refetch = useThrottled(() => {
    void client.invalidateQueries({ queryKey: [cdr.list.id] });
    void client.invalidateQueries({ queryKey: [cdr.sums.id] });
  }, minRefetchMs);
  const onDifference = useEffectEvent(refetch);
  const isComparable =
    !rows.isPlaceholderData && !sums.isPlaceholderData && rows.data?.totalRelation === 'eq';
  const differs =
    isComparable && sums.data !== undefined && sums.data.data.total.records !== rows.data?.totalCount;
  /** Changes with each pair of responses. */
  const differenceKey = differs ? `${rows.updatedAt} ${sums.updatedAt}` : undefined;
  useEffect(() => {
    if (differenceKey !== undefined) onDifference();
  }, [differenceKey]);
};
