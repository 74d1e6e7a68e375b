import { Fragment } from 'react';
import { useLanguage } from '../../lib/language/index.ts';
import { Link } from '../../ui/link/index.ts';
import styles from './guide.module.css';
import type { Block, Text } from './page.ts';
import { type NamedPage, pathOfPlace, placeOf } from './pages.ts';

interface Of {
  file: NamedPage;
}

/** The content of a guide page never changes while it is shown, so the index of each piece can be its key. */
const numbered = <T,>(items: readonly T[]): { key: number; item: T }[] =>
  items.map((item, key) => ({ key, item }));

export const Blocks = ({ blocks, file }: Of & { blocks: readonly Block[] }) =>
  numbered(blocks).map(({ key, item }) => <Drawn block={item} file={file} key={key} />);

const Drawn = ({ block, file }: Of & { block: Block }) => {
  if (block.kind === 'picture') return <Shot file={file} name={block.file} says={block.says} />;
  if (block.kind === 'table') return <Table block={block} file={file} />;
  if (block.kind === 'paragraph')
    return (
      <p>
        <Words file={file} text={block.text} />
      </p>
    );
  const List = block.ordered ? 'ol' : 'ul';
  return (
    <List>
      {numbered(block.items).map(({ key, item }) => (
        <li key={key}>
          <Words file={file} text={item} />
        </li>
      ))}
    </List>
  );
};

const Shot = ({ file, name, says }: Of & { name: string; says: string }) => {
  const picture = file.pictures[name];
  if (!picture) return null;
  return <img alt={says} className={styles['picture']} loading="lazy" {...picture} />;
};

const Table = ({ block: { head, rows }, file }: Of & { block: Extract<Block, { kind: 'table' }> }) => (
  <table>
    <thead>
      <tr>
        {numbered(head).map(({ key, item }) => (
          <th key={key} scope="col">
            <Words file={file} text={item} />
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {numbered(rows).map(({ key, item }) => (
        <tr key={key}>
          {numbered(item).map((cell) => (
            <td key={cell.key}>
              <Words file={file} text={cell.item} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const tags = { plain: Fragment, strong: 'strong', em: 'em', code: 'code' } as const;

const Words = ({ file, text }: Of & { text: Text }) =>
  numbered(text).map(({ key, item }) => {
    if (item.kind === 'link') return <Way file={file} key={key} text={item.text} to={item.to} />;
    const Tag = tags[item.kind];
    return <Tag key={key}>{item.text}</Tag>;
  });

/** A link inside the guide, or to a page that the server has in addition to the console. */
const Way = ({ file, text, to }: Of & { text: string; to: string }) => {
  const language = useLanguage();
  const place = placeOf(file, to);
  if (place) return <Link href={`/${language}/${pathOfPlace(place.name, place.id)}`}>{text}</Link>;
  return (
    <a href={to} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
};
