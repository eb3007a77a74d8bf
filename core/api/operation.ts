import type * as yup from 'yup';
import type { Call } from './call.ts';
import type { Condition } from './conditions.ts';
import type { SecretDeclaration } from './secret.ts';

/**
 * Who may use an operation. Denied is 401 `rest_forbidden` for nobody, 403 for a signed-in caller.
 * - `public`: anybody; the text says why that is right.
 * - `signedIn`: any signed-in caller; `withoutNonce` says why the cookie alone is enough (never for a change).
 * - `can`: one capability on the call's site; `onSingleSite` takes its place where `multisite` is `off`.
 * - `canAny`, `canAll`: one of them, all of them.
 * - `check`: whatever data cannot say, from the call and the path's parameters as they stand in the URL;
 *   `because` says it in words, for the API description.
 * - `secret`: who has a secret of the module's own, and nobody else; with `can`, if he holds the capability, too.
 *   The secret says by which codes others are refused.
 */
export type Access =
  | { readonly public: string }
  | { readonly signedIn: true; readonly withoutNonce?: string }
  | { readonly can: string; readonly onSingleSite?: string }
  | { readonly canAny: readonly string[] }
  | { readonly canAll: readonly string[] }
  | {
      readonly check: (call: Call, path: Readonly<Record<string, string>>) => boolean | Promise<boolean>;
      readonly because: string;
    }
  | { readonly secret: SecretDeclaration; readonly can?: string };

/** Methods that an operation may declare. HEAD comes with GET; PATCH and PUT answer POST, PUT and PATCH. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The schema of one part of a request. */
export type ObjectSchema = yup.ObjectSchema<yup.AnyObject>;

/** Fields that a multipart upload has beside its one file. */
export interface Multipart {
  /** Name of the file field. */
  readonly file: string;
  /** Bytes that the file may have. Default: the network's setting `max_upload_bytes`. */
  readonly maxBytes?: number | ((call: Call) => number);
  /** Code that refuses a file of 0 bytes, of the operation's errors. Default: it counts as missing. */
  readonly emptyCode?: string;
  /** True: a JSON body is taken as well, and then there is no file. */
  readonly orJson?: boolean;
}

/** Schemas of what a request brings. A part without a schema reaches the handler empty. */
export interface OperationInput<P, Q, B> {
  /** Path parameters, cast from text. Ids are checked before any SQL. */
  readonly params?: P;
  /** Query, cast from text; a list is comma-separated. */
  readonly query?: Q;
  /** JSON body (or the text fields of a multipart one); strict, never cast. */
  readonly body?: B;
}

type Of<S> = S extends yup.ISchema<infer T> ? T : Record<string, never>;

/** What a handler is given of the request: checked, defaults filled in, and nothing that no schema names. */
export interface Input<P, Q, B> {
  readonly params: Of<P>;
  readonly query: Of<Q>;
  readonly body: Of<B>;
  /** The uploaded file of a multipart operation, on disk until the handler returns. */
  readonly file: UploadedFile | null;
}

/** A file received by a multipart operation; `path` lives until the answer is sent. */
export interface UploadedFile {
  readonly path: string;
  readonly bytes: number;
  /** 64 hex digits. */
  readonly sha256: string;
  /** As sent by the client: a label, never a path. */
  readonly name: string;
}

/** One operation: who may use it, what it reads, what it answers, and how it fails. */
export interface OperationDeclaration<P, Q, B> {
  /** `<module>.<name>`, unique. */
  readonly id: string;
  readonly method: Method;
  /** Whole route as in the contract, `{name}` for parameters, without leading slash. */
  readonly path: string;
  /** One line for the API description. */
  readonly summary?: string;
  readonly description?: string;
  readonly access: Access;
  /**
   * Takes the place of the site's list of origins: whether pages of this origin may read the answers, errors among them.
   * Never with credentials. Asked before anything else, of nobody's call, where the request names an origin. Not for
   * modules in a worker of their own.
   */
  readonly crossOrigin?: (
    origin: string,
    call: Call,
    path: Readonly<Record<string, string>>,
  ) => boolean | Promise<boolean>;
  /** Gates this operation alone; where it does not hold the route does not exist. */
  readonly when?: Condition;
  /** `selectable`: query `blog_id` chooses another site of the network. Default `current`. */
  readonly site?: 'current' | 'selectable';
  /** Codes of the module's own in the place of `invalid_blog` and `unknown_blog`. */
  readonly blogCodes?: { readonly invalid: string; readonly unknown: string };
  readonly input?: OperationInput<P, Q, B>;
  /** The body is multipart/form-data with one file. */
  readonly multipart?: Multipart;
  /**
   * Query and body may hold lists and objects under bracketed names, as `order[0][dir]=asc`: the body as a form, or as
   * JSON of the same shape.
   */
  readonly bracketed?: boolean;
  /** Bytes that a JSON body may have, at most 64 MiB. Default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** Status of plain data. Default 200. */
  readonly success?: number;
  /** Content type of an answer that is a stream, as `text/csv`. Beside `output`: clients may ask for either. */
  readonly streams?: string;
  /** Every field of the answer; an operation without it that streams nothing answers 204. */
  readonly output?: yup.AnySchema;
  /** The codes the operation throws, of the module's table or of the host's. */
  readonly errors?: readonly string[];
  /**
   * Code that stands in the place of `rest_missing_callback_param` and `rest_invalid_param` where the input does not
   * fit its schema; `data.params` is the same.
   */
  readonly badInput?: string;
  /** The answer is a page of a list: paging headers, query by `pageQuery`. */
  readonly paged?: boolean;
  /** Named by the published platform contract; all others are marked `x-extension`. */
  readonly contract?: boolean;
  /** Milliseconds until 504 `module_timeout`; at most 300,000. Default 30,000. */
  readonly timeoutMs?: number;
  /** Request and answer for the API description. */
  readonly example?: { readonly body?: unknown; readonly answer?: unknown };
  readonly handle: (input: Input<P, Q, B>, call: Call) => unknown;
}

/** An operation whose input types are no longer of interest: what the host dispatches. */
export type Operation = Omit<OperationDeclaration<unknown, unknown, unknown>, 'input' | 'handle'> & {
  readonly input?: OperationInput<ObjectSchema, ObjectSchema, ObjectSchema>;
  readonly handle: (input: never, call: Call) => unknown;
};

/** Declares one operation: schema, access, errors and handler together. Checked when the module is loaded. */
export function defineOperation<P = undefined, Q = undefined, B = undefined>(
  declaration: OperationDeclaration<P, Q, B>,
): Operation {
  return declaration as unknown as Operation;
}
