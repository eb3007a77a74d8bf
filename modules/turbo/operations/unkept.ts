/** What is said of one visitor is kept by nobody between him and the server. */
export const unkept = { 'Cache-Control': 'private, no-store' };
