import Koa, { type Context } from 'koa';
import { sendReady } from './ready-body.ts';

type Answer = (ctx: Context) => Promise<void>;

/** Koa's own way to take a request, which its types leave out. */
const { handleRequest } = Koa.prototype as unknown as {
  handleRequest(this: Koa, ctx: Context, answer: Answer): Promise<void>;
};

/** Koa, except that it comes into play after the answer and not before: most are ready then and leave without it. */
export class Application extends Koa {
  async handleRequest(ctx: Context, answer: Answer): Promise<void> {
    const { res } = ctx;
    res.statusCode = 404;
    try {
      await answer(ctx);
      if (sendReady(ctx)) return;
    } catch (error) {
      ctx.onerror(error as Error);
      return;
    }
    // It begins with a status of its own.
    const { statusCode } = res;
    await handleRequest.call(this, ctx, async () => {
      res.statusCode = statusCode;
    });
  }
}
