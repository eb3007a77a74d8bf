/** Russian prints ё as е as often as not; the store and its questions read both as е. */
export const folded = (text: string): string => text.replaceAll('ё', 'е').replaceAll('Ё', 'Е');
