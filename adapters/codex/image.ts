/** What an image's first bytes say it is; undefined: none that the API takes, or cut short. */
export function imageType(base64: string): string | undefined {
  const bytes = Buffer.from(base64.slice(0, 64), 'base64');
  const tail = Buffer.from(base64.slice(-64 + (base64.length % 4 === 0 ? 0 : -(base64.length % 4))), 'base64');
  if (base64.length < 32 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64.slice(0, 64).replace(/\s/g, '')) || bytes.length < 16) return undefined;
  if (bytes.subarray(0, 8).equals(Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]))) return tail.includes('IEND') ? 'image/png' : undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.subarray(0, 4).toString('latin1') === 'GIF8') return 'image/gif';
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp';
  return undefined;
}
