import styles from './visually-hidden.module.css';

/** The class of a text that only screen readers read. */
export const visuallyHidden = styles['visuallyHidden'];
