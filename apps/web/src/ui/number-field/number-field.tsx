import { InputNumber, type InputNumberProps } from 'antd';
import { useLanguage } from '../../lib/language/index.ts';
import { withDecimalPoint, withoutOthers } from './decimal-comma.ts';

interface NumberFieldProps extends InputNumberProps<number> {
  /** Maximum number of decimals. */
  precision: number;
}

/** A number field in the notation of the console's language. */
export const NumberField = (props: NumberFieldProps) => {
  const { precision } = props;
  const isSpanish = useLanguage() === 'es-ES';
  const read = (text: string): string => {
    // Digits of full width are digits.
    const typed = text.normalize('NFKC');
    return isSpanish ? withDecimalPoint(typed, precision) : withoutOthers(typed);
  };
  return (
    <InputNumber<number>
      {...(isSpanish ? { decimalSeparator: ',' } : {})}
      // Returns text for the field to convert, empty for no number, whatever its type says.
      parser={(text = '') => read(text) as unknown as number}
      {...props}
    />
  );
};
