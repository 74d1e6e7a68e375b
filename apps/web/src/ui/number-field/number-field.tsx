import { InputNumber, type InputNumberProps } from 'antd';
import { useLanguage } from '../../lib/language/index.ts';
import { withDecimalPoint } from './decimal-comma.ts';

interface NumberFieldProps extends InputNumberProps<number> {
  /** Maximum number of decimals. */
  precision: number;
}

/** A number field in the notation of the console's language. */
export const NumberField = (props: NumberFieldProps) => {
  const { precision } = props;
  const inSpanish = {
    decimalSeparator: ',',
    // The parser returns text for the field to convert, empty for no number, whatever its type says.
    parser: (text = '') => withDecimalPoint(text, precision) as unknown as number,
  };
  return <InputNumber<number> {...(useLanguage() === 'es-ES' ? inSpanish : {})} {...props} />;
};
