import { InputNumber, type InputNumberProps } from 'antd';
import { useLanguage } from '../../lib/language/index.ts';
import { withDecimalPoint } from './decimal-comma.ts';

interface NumberFieldProps extends InputNumberProps<number> {
  /** Decimals that it may have. */
  precision: number;
}

/** A number, read and written as the language of the console writes it. */
export const NumberField = (props: NumberFieldProps) => {
  const { precision } = props;
  const inSpanish = {
    decimalSeparator: ',',
    // What is typed is read from a text, empty for no number, whatever the type of the values.
    parser: (text = '') => withDecimalPoint(text, precision) as unknown as number,
  };
  return <InputNumber<number> {...(useLanguage() === 'es-ES' ? inSpanish : {})} {...props} />;
};
