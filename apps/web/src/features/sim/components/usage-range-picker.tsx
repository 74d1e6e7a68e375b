import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { type SimDetailSearch, type UsageRange, usageRanges } from '../search.ts';
import { daysBetween, maxRangeDays } from '../usage-span.ts';

interface Span {
  from: string;
  to: string;
}

interface RangePickerProps {
  range: UsageRange;
  span: Span;
  onChange: (next: Pick<SimDetailSearch, 'range' | 'from' | 'to'>) => void;
}

/** Presets, and a dialog for any other range. */
export const UsageRangePicker = ({ range, span, onChange }: RangePickerProps) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const days = `${calendar.day(span.from)} – ${calendar.day(span.to)}`;
  const selectRange = (next: UsageRange): void => {
    if (next === 'custom') setDialogOpen(true);
    else onChange({ range: next });
  };
  return (
    <>
      <Segmented
        label={t('sim.usage.range')}
        onChange={selectRange}
        options={usageRanges.map((value) => ({ value, label: t(`sim.usage.ranges.${value}`) }))}
        value={range}
      />
      {/* The radio button of the selected range does not report that it is chosen again. */}
      {range === 'custom' ? (
        <Button
          aria-label={t('kit.marks.named', { name: t('sim.usage.range'), value: days })}
          onClick={() => setDialogOpen(true)}
        >
          {days}
        </Button>
      ) : null}
      <Dialog
        onClose={() => setDialogOpen(false)}
        open={isDialogOpen}
        title={t('sim.usage.range')}
        width={360}
      >
        <RangeForm
          initial={span}
          onCancel={() => setDialogOpen(false)}
          onDone={(chosen) => {
            setDialogOpen(false);
            onChange({ range: 'custom', ...chosen });
          }}
        />
      </Dialog>
    </>
  );
};

interface RangeFormProps {
  initial: Span;
  onCancel: () => void;
  onDone: (span: Span) => void;
}

const RangeForm = ({ initial, onCancel, onDone }: RangeFormProps) => {
  const { t } = useTranslation();
  const schema = z
    .object({ from: z.iso.date(), to: z.iso.date() })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: t('sim.usage.toBeforeFrom') })
    .refine(({ from, to }) => daysBetween(from, to) <= maxRangeDays, {
      path: ['to'],
      message: t('sim.usage.tooLong', { days: maxRangeDays }),
    });
  return (
    <Form
      action={t('sim.usage.show')}
      initial={initial}
      onCancel={onCancel}
      onSubmit={onDone}
      schema={schema}
    >
      <FormField label={t('sim.usage.from')} name="from">
        <Input type="date" />
      </FormField>
      <FormField label={t('sim.usage.to')} name="to">
        <Input type="date" />
      </FormField>
    </Form>
  );
};
