import * as z from 'zod';
import { blockSchema, recordSchema } from './record.ts';

/** The records of record.ts as at-rest.ts writes them down. For the published JSON schema: relay itself checks what it makes of a line. */
const [message, boundary, event, raw] = recordSchema.options;
const [text, image, file, thinking, call, result, unknown] = blockSchema.options;

const untyped = { type: true } as const;
const inner = z.union([z.string(), text, image, file, unknown]);
const storedResult = result.omit(untyped).extend({ content: z.union([inner, z.array(inner)]) });
const block = z.union([z.string(), text, image, file, thinking, call.omit(untyped), storedResult, unknown]);
const content = z.union([block, z.array(block)]);

const absent = z.literal(false);
const place = {
  id: z.union([z.string(), absent]).optional(),
  parent: z.union([z.string(), z.null(), absent]).optional(),
  time: z.union([z.string(), absent]).optional(),
};
const view = z.array(z.strictObject({ role: message.shape.role, content, origin: message.shape.origin })).optional();

/** One line of a stored stream after its header. */
export const storedSchema = z.union([
  message.omit(untyped).extend({ content, ...place }),
  boundary.extend({ view, ...place }),
  event.omit(untyped).extend(place),
  raw,
]);
