import { Fragment } from 'react';
import { useLanguage } from '../../lib/language/index.ts';
import { Link } from '../../ui/link/index.ts';
import styles from './guide.module.css';
import type { Block, Text } from './page.ts';
import { type NamedPage, pathOfPlace, placeOf } from './pages.ts';

interface WithFile {
  file: NamedPage;
}

/** The content of a guide page never changes while it is shown, so the index of each piece can be its key. */
const indexed = <T,>(items: readonly T[]): { key: number; item: T }[] =>
  items.map((item, key) => ({ key, item }));

export const Blocks = ({ blocks, file }: WithFile & { blocks: readonly Block[] }) =>
  indexed(blocks).map(({ key, item }) => <BlockView block={item} file={file} key={key} />);

const BlockView = ({ block, file }: WithFile & { block: Block }) => {
  if (block.kind === 'picture') return <Shot file={file} name={block.file} says={block.says} />;
  if (block.kind === 'table') return <Table block={block} file={file} />;
  if (block.kind === 'paragraph')
    return (
      <p>
        <RichText file={file} text={block.text} />
      </p>
    );
  const List = block.ordered ? 'ol' : 'ul';
  return (
    <List>
      {indexed(block.items).map(({ key, item }) => (
        <li key={key}>
          <RichText file={file} text={item} />
        </li>
      ))}
    </List>
  );
};

const Shot = ({ file, name, says }: WithFile & { name: string; says: string }) => {
  const picture = file.pictures[name];
  if (!picture) return null;
  return <img alt={says} className={styles['picture']} loading="lazy" {...picture} />;
};

const Table = ({ block: { head, rows }, file }: WithFile & { block: Extract<Block, { kind: 'table' }> }) => (
  <table>
    <thead>
      <tr>
        {indexed(head).map(({ key, item }) => (
          <th key={key} scope="col">
            <RichText file={file} text={item} />
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {indexed(rows).map(({ key, item }) => (
        <tr key={key}>
          {indexed(item).map((cell) => (
            <td key={cell.key}>
              <RichText file={file} text={cell.item} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const tags = { plain: Fragment, strong: 'strong', em: 'em', code: 'code' } as const;

const RichText = ({ file, text }: WithFile & { text: Text }) =>
  indexed(text).map(({ key, item }) => {
    if (item.kind === 'link') return <TextLink file={file} key={key} text={item.text} to={item.to} />;
    const Tag = tags[item.kind];
    return <Tag key={key}>{item.text}</Tag>;
  });

/** A link inside the guide, or to a page that the server has in addition to the console. */
const TextLink = ({ file, text, to }: WithFile & { text: string; to: string }) => {
  const language = useLanguage();
  const place = placeOf(file, to);
  if (place) return <Link href={`/${language}/${pathOfPlace(place.name, place.id)}`}>{text}</Link>;
  return (
    <a href={to} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
};
