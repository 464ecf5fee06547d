import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { schemaFiles } from './schema-files.ts';

/** Writes the published JSON schemas (docs/*.schema.json) from the zod schemas of the sources. A test catches drift. */
for (const [file, text] of Object.entries(schemaFiles())) writeFileSync(fileURLToPath(new URL(`../docs/${file}`, import.meta.url)), text);
