/** How long a text is for a model, near enough and the same for every one: a quarter of its bytes. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text, 'utf8') / 4);
