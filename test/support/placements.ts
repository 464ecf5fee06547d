import { attachmentId } from '#session/codec.ts';
import { attachmentPath } from '#store/names.ts';

/** A place for a secret in a blob of a version: where it stands, and the bytes. None is made by relay. */
export interface Placement {
  what: string;
  /** undefined: an attachment, which stands under its own hash */
  path?: string;
  make(secret: string): Buffer;
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16(text).swap16();
const utf32 = (text: string): Buffer => Buffer.concat([...text].map((char) => Buffer.from([char.charCodeAt(0), 0, 0, 0])));
const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
/** Every character as an escape of JSON. */
const escaped = (text: string): string => [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const json = (value: unknown): string => JSON.stringify(value);

const at = (path: string) => (what: string, make: (secret: string) => string | Buffer) => ({ what, path, make: (secret: string) => Buffer.from(make(secret)) });
const line = at('x.jsonl');
const file = at('remark.txt');
const manifest = at('more.json');

const attachment = (what: string, make: (secret: string) => string | Buffer): Placement => ({ what, make: (secret) => Buffer.from(make(secret)) });
export const pathOf = ({ path }: Placement, bytes: Buffer): string => path ?? attachmentPath(attachmentId(bytes));

/** Places within records and files, told by what a careless look would pass over. */
export const PLACEMENTS: readonly Placement[] = [
  line('a native string that begins like a pointer', (secret) => json({ type: 'event', kind: 'x', native: { a: `=${secret}` } })),
  line('text behind the sign of a pointer', (secret) => json({ native: { a: `= and the token is ${secret}` } })),
  line('a native string that is marked as no pointer', (secret) => json({ native: { a: [`==${secret}`] } })),
  line('escapes behind the sign of a pointer', (secret) => `{"native":{"a":"=${escaped(secret)}"}}`),
  line('a key like a pointer', (secret) => json({ native: { a: { [`=${secret}`]: 1 } } })),
  line('the first of two equal keys', (secret) => `{"a":"${secret}","a":"ok"}`),
  line('the first of two native parts', (secret) => `{"native":{"a":"${secret}"},"native":{}}`),
  line('the first of two keys in nested JSON', (secret) => json({ a: `{"b":"${secret}","b":1}` })),
  line('escapes of the first of two keys', (secret) => `{"a":"${escaped(secret)}","a":"ok"}`),
  line('the first of two raw lines', (secret) => `{"type":"raw","base64":"${base64(secret)}","base64":""}`),
  line('what should be base64', (secret) => json({ type: 'raw', base64: secret })),
  line('UTF-16 in base64', (secret) => json({ type: 'raw', base64: base64(utf16(secret)) })),
  line('UTF-16, the other order, in base64', (secret) => json({ type: 'raw', base64: base64(utf16be(`\ufeff${secret}`)) })),
  line('UTF-16 read as bytes', (secret) => json({ a: utf16(secret).toString('latin1') })),
  line('a key', (secret) => json({ a: { [secret]: 1 } })),
  line('a key in escapes', (secret) => `{"${escaped(secret)}":1}`),
  line('nested JSON twice', (secret) => json({ a: json({ b: json({ c: secret }) }) })),
  line('the name of an attachment', (secret) => json({ attached: [['/a', secret, 'utf8']] })),
  line('the prototype', (secret) => `{"__proto__":{"a":"${secret}"}}`),
  line('a deep list', (secret) => `{"a":${'['.repeat(3000)}"${secret}"${']'.repeat(3000)}}`),
  line('a long line', (secret) => json({ a: `${'lorem ipsum '.repeat(20_000)}${secret}` })),
  line('a line behind a byte order mark', (secret) => `{"a":1}\n\ufeff${json({ a: secret })}`),
  line('what follows a record', (secret) => `${json({ a: 1 })} ${secret}`),
  line('escapes in a line that is cut off', (secret) => `{"a":"${escaped(secret)}"`),
  line('escapes with something behind the record', (secret) => `{"a":"${escaped(secret)}"}}`),
  line('a record behind a carriage return', (secret) => `{"a":1}\r{"b":"${secret}"}`),
  line('a line that is a list', (secret) => json([secret])),
  line('a line that is a string', (secret) => json(secret)),
  line('a line with a NUL', (secret) => `{"a":1}\0{"b":"${secret}"}`),
  line('a line beside broken UTF-8', (secret) => Buffer.concat([Buffer.from([0xff, 10]), Buffer.from(`{"a":"${escaped(secret)}"}`)])),
  line('records in UTF-16', (secret) => utf16be(json({ a: secret }))),
  file('UTF-16', (secret) => utf16(`the token: ${secret}`)),
  file('UTF-16 with a mark', (secret) => utf16(`\ufeffthe token: ${secret}`)),
  file('UTF-16, the other order', (secret) => utf16be(`the token: ${secret}`)),
  file('UTF-16, the other order, with a mark', (secret) => utf16be(`\ufeff${secret}`)),
  file('UTF-16 from an odd place', (secret) => Buffer.concat([Buffer.from('x'), utf16(secret)])),
  file('UTF-32', (secret) => utf32(`the token: ${secret}`)),
  file('records under another name', (secret) => `{"a":1}\n{"a":"${escaped(secret)}"}\n`),
  manifest('JSON that is cut off', (secret) => `{"a":"${escaped(secret)}"`),
  manifest('the first of two equal keys of a file', (secret) => `{"a":"${secret}","a":1}`),
  attachment('UTF-16 in an attachment', (secret) => utf16(`\ufeffthe token: ${secret}`)),
  attachment('UTF-16 within bytes', (secret) => Buffer.concat([Buffer.from([0xff, 0xfe, 0xfd, 1, 2]), utf16(`${secret}\n`), Buffer.from([0xff, 0xd9])])),
  attachment('UTF-32 in an attachment', (secret) => utf32(secret)),
  attachment('text with a NUL', (secret) => `ä\0${secret}`),
];
