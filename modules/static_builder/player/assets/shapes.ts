/** Shapes that the scripts of the player share; they are plain scripts, so they meet in one global object. */

interface CoursePage {
  readonly id: number;
  readonly title: string;
  readonly href: string;
  readonly iri: string;
}

/** What the shell's document says about the course; pages in the order of reading. */
interface CourseData {
  readonly iri: string;
  /** Tells this course from others that one browser keeps something of. */
  readonly key: string;
  readonly name: string;
  readonly language: string;
  readonly hasHeader: boolean;
  readonly pages: readonly CoursePage[];
  readonly words: Readonly<Record<string, string>>;
}

/** What a learning system keeps for the next time. */
interface Kept {
  /** Id of the page that was open; empty for none. */
  readonly bookmark: string;
  /** The pages that were seen, as `Progress` writes them. */
  readonly seen: string;
}

/** Where the learner stands, each time that a page is shown. */
interface Standing extends Kept {
  readonly page: CoursePage;
  /** 0 to 1, and 1 for all pages alone. */
  readonly share: number;
  readonly isComplete: boolean;
}

/** How a course speaks to the system that launched it. Nothing of it ever throws. */
interface CourseRuntime {
  /** Finds the system and what it kept; null where there is none, so that nothing is recorded. */
  open(): Promise<Kept | null>;
  show(standing: Standing): void;
  /** The window may go away: what is not saved yet is saved. */
  save(): void;
  /** The last word, said once. */
  end(): void;
  /** Where the system wants the learner to go afterwards. */
  readonly exitAddress?: string;
  /** The learner wants no sound. */
  readonly isMuted?: boolean;
}

interface ProgressRecord {
  readonly seen: number;
  readonly total: number;
  readonly share: number;
  readonly isComplete: boolean;
  see(id: number): void;
  has(id: number): boolean;
  read(text: string): void;
  toText(): string;
}

interface CourseMenu {
  mark(progress: ProgressRecord): void;
  /** @param id null for no page of the course */
  setCurrent(id: number | null): void;
  close(): void;
}

type ScormApi = Readonly<Record<string, (...values: string[]) => unknown>>;

/** What a version of SCORM calls its functions and the elements of its data model. */
interface ScormDialect {
  readonly object: string;
  readonly calls: Readonly<Record<'begin' | 'end' | 'get' | 'set' | 'commit' | 'error', string>>;
  readonly elements: Readonly<Record<'status' | 'bookmark' | 'seen' | 'time' | 'exit', string>> & {
    /** Null where there is none for the share that was seen. */
    readonly share: string | null;
  };
  /** Values of the status after which there is nothing left to say about it. */
  readonly done: readonly string[];
  readonly exitWhenDone: string;
  timespan(milliseconds: number): string;
}

interface Statement {
  readonly id: string;
  readonly [key: string]: unknown;
}

interface RecordStoreOptions {
  readonly endpoint: string;
  /** Header `Authorization`; empty for none. */
  readonly authorization: string;
  readonly activity: string;
  readonly actor: object;
  readonly registration: string;
}

/** A learning record store of xAPI 1.0.3. */
interface RecordStore {
  /** Null where there is none; throws when the store cannot be asked. */
  readState(name: string): Promise<unknown>;
  readProfile(name: string): Promise<unknown>;
  /** Settles when the store has it or would not take it. Of several that wait the last is sent. */
  keepState(name: string, content: object): Promise<void>;
  /** Sent one after the other, in this order; resolves when the store has it or refused it for good. */
  record(statement: Statement): Promise<void>;
  /** Everything that waits goes out at once, in requests that outlive the window. */
  flush(): void;
}

interface SessionOptions {
  readonly store: RecordStore;
  /** Without verb, id and time, which the session adds. */
  readonly statement: (verb: SessionVerb, page: CoursePage | null) => object;
  /** Whether each page that is shown is told. */
  readonly tellsPages: boolean;
  /** False: nothing but beginning and end is told, and nothing is kept. */
  readonly isRecorded: boolean;
}

type SessionVerb = 'initialized' | 'experienced' | 'completed' | 'terminated';

interface CoursePlayer {
  createProgress(ids: readonly number[]): ProgressRecord;
  createMenu(course: CourseData): CourseMenu;
  createRuntime(course: CourseData): CourseRuntime;
  /** Of a course that no system launched. */
  untracked: CourseRuntime;
  findApi(name: string, method: string): ScormApi | null;
  createScorm(dialect: ScormDialect): CourseRuntime;
  createRecordStore(options: RecordStoreOptions): RecordStore;
  createSession(options: SessionOptions): CourseRuntime;
  /** A text with its `{…}` filled in. */
  fill(text: string, values: Readonly<Record<string, string | number>>): string;
  /** As ISO 8601 has it. */
  duration(milliseconds: number): string;
  uuid(): string;
}

// biome-ignore lint/correctness/noUnusedVariables: merged with what the browser declares.
interface Window {
  coursePlayer: CoursePlayer;
}

declare const coursePlayer: CoursePlayer;
