import { CloseCircleFilled } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';

/** Names the button that empties a text field; antd's own has the name of its icon, in English. */
export const ClearIcon = () => <CloseCircleFilled aria-label={useTranslation().t('kit.filter.clearText')} />;
